-- Naming rooms: a share with a short link, whose votes are shown live and steer further names.
--
-- Nodes of the version before go on reading and writing shares. They do not advance `version`: event streams therefore
-- also read a share now and then.

-- The hash of the short link's code; null for a share that only has the long link. `version` advances with every change.
ALTER TABLE share ADD COLUMN code_hash bytea;
ALTER TABLE share ADD COLUMN version bigint NOT NULL DEFAULT 0;
-- The hash of the voter who created it and may pick a name; null if unknown.
ALTER TABLE share ADD COLUMN host bytea;
-- What further names are generated from, and the options of that request; null where none can be.
ALTER TABLE share ADD COLUMN description text;
ALTER TABLE share ADD COLUMN options jsonb;
-- How often further names were added, and until when a running search holds its claim.
ALTER TABLE share ADD COLUMN batches smallint NOT NULL DEFAULT 0;
ALTER TABLE share ADD COLUMN searching_until timestamptz;
ALTER TABLE share ADD COLUMN picked uuid;

-- 0: there from the beginning. A name that was never a favorite has the nil UUID as `favorite_id`.
ALTER TABLE share_item ADD COLUMN batch smallint NOT NULL DEFAULT 0;

-- Finds a share by the code of its short link, before the account is known.
CREATE TABLE share_link (
  hash       bytea PRIMARY KEY,
  account_id uuid NOT NULL,
  share_id   uuid NOT NULL
);
CREATE INDEX share_link_of_share ON share_link (account_id, share_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON share_link TO namewright_app;
ALTER TABLE share_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_link FORCE ROW LEVEL SECURITY;
CREATE POLICY find ON share_link FOR SELECT USING (true);
CREATE POLICY own_insert ON share_link FOR INSERT WITH CHECK (account_id = acting_account());
CREATE POLICY own_update ON share_link FOR UPDATE USING (account_id = acting_account());
CREATE POLICY own_delete ON share_link FOR DELETE USING (account_id = acting_account());
