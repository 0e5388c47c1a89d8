-- Emails about changes of watched domains, for members who ask for them.
ALTER TABLE member ADD COLUMN change_emails boolean NOT NULL DEFAULT false;

-- Changes that a member has yet to be told about. `due_at` is also the next try after one that failed.
CREATE TABLE change_email (
  account_id  uuid NOT NULL,
  user_id     text NOT NULL,
  favorite_id uuid NOT NULL,
  change_id   uuid NOT NULL,
  due_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, user_id, change_id),
  CONSTRAINT change_email_member FOREIGN KEY (account_id, user_id) REFERENCES member (account_id, user_id)
    ON DELETE CASCADE,
  CONSTRAINT change_email_change FOREIGN KEY (account_id, favorite_id, change_id)
    REFERENCES favorite_change (account_id, favorite_id, id) ON DELETE CASCADE
);
CREATE INDEX change_email_due ON change_email (due_at);
CREATE INDEX change_email_of_change ON change_email (account_id, favorite_id, change_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON change_email TO namewright_app;
ALTER TABLE change_email ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_email FORCE ROW LEVEL SECURITY;
-- The job finds all that are due; only the account itself may write them.
CREATE POLICY find ON change_email FOR SELECT USING (true);
CREATE POLICY own_insert ON change_email FOR INSERT WITH CHECK (account_id = acting_account());
CREATE POLICY own_update ON change_email FOR UPDATE USING (account_id = acting_account());
CREATE POLICY own_delete ON change_email FOR DELETE USING (account_id = acting_account());
