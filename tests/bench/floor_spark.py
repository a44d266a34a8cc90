"""The start of the Spark session that rehearsals use, and nothing else."""

from ruleferry.converters.proof.session import spark_session

spark_session()
