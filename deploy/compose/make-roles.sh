#!/bin/sh
# The PostgreSQL image runs this once, when its volume is empty. The file is not executable on purpose: the image then
# sources it, which needs no execute permission on a mounted file. The service `secrets` generates the statements.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --file=/run/postgres-secrets/roles.sql
