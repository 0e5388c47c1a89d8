-- Sources that the operator has switched off for all nodes. Belongs to no tenant.
CREATE TABLE switched_off (
  source text PRIMARY KEY,
  reason text NOT NULL,
  since  timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON switched_off TO namewright_app;
