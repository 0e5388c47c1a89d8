#!/bin/sh
# Run by the image of PostgreSQL once, when its volume is empty. Not executable on purpose: then it is sourced, and needs
# no right to be executed on a mounted file. The statements with the passwords were made by the service `secrets`.
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --file=/run/postgres-secrets/roles.sql
