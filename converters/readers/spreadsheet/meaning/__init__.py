"""What the columns of a block say of the fields, and the profile that a person confirms."""
