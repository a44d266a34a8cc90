"""``python -m ruleferry``."""

from ruleferry.cli import main

if __name__ == "__main__":
    main()
