-- Links that sign in, and links that change the address. A link of either kind is bound to the browser that asked for
-- it (`browser_hash`) or to the person's session; `new_email` is the address that a change leads to.

ALTER TABLE people.emailed_link ADD COLUMN new_email text;
ALTER TABLE people.emailed_link DROP CONSTRAINT emailed_link_purpose_check;
ALTER TABLE people.emailed_link ADD CONSTRAINT emailed_link_purpose_check
  CHECK (purpose IN ('confirm', 'reset', 'sign_in', 'change')) NOT VALID;
ALTER TABLE people.emailed_link ADD CONSTRAINT emailed_link_new_email_check
  CHECK ((purpose = 'change') = (new_email IS NOT NULL)) NOT VALID;
