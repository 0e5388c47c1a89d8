-- How many domains an account may check in a day. Accounts with a limit of names get the default; the others stay unlimited.
ALTER TABLE account_plan ADD COLUMN checks_per_day bigint;
ALTER TABLE account_plan ADD CONSTRAINT account_plan_checks CHECK (checks_per_day >= 0) NOT VALID;
-- The owner of a table with a forced policy sees nothing of it either.
ALTER TABLE account_plan NO FORCE ROW LEVEL SECURITY;
UPDATE account_plan SET checks_per_day = 20000 WHERE names_per_day IS NOT NULL;
ALTER TABLE account_plan FORCE ROW LEVEL SECURITY;
