-- Proof of an address, links that were emailed, and when a person last confirmed who they are.

-- When the address was last proved: by a link together with the sign-up's password or browser, by a reset, by an
-- invitation, by a provider. NULL with `email_verified`: confirmed before this was recorded, perhaps by a mail scanner
-- that opened the link. The next reset counts as the first proof then.
ALTER TABLE people."user" ADD COLUMN address_proved_at timestamptz;

CREATE FUNCTION people.set_address_proved_at() RETURNS trigger
  LANGUAGE plpgsql SET search_path = people, pg_temp
  AS $$
  BEGIN
    IF new.email_verified AND (tg_op = 'INSERT' OR NOT old.email_verified) THEN
      new.address_proved_at := now();
    END IF;
    RETURN new;
  END
  $$;
CREATE TRIGGER address_proved BEFORE INSERT OR UPDATE OF email_verified ON people."user"
  FOR EACH ROW EXECUTE FUNCTION people.set_address_proved_at();

-- When this session's person last proved who they are after the sign-in; NULL: not since.
ALTER TABLE people.session ADD COLUMN proved_at timestamptz;

-- One live link per person and purpose. `hash` is the SHA-256 of the link's token. `browser_hash` is the SHA-256 of a
-- cookie: the browser that signed up with a provider, for people who have no password to confirm with.
CREATE TABLE people.emailed_link (
  user_id      text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  purpose      text NOT NULL CHECK (purpose IN ('confirm', 'reset')),
  hash         bytea NOT NULL UNIQUE,
  browser_hash bytea,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (user_id, purpose)
);
CREATE INDEX emailed_link_age ON people.emailed_link (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON people.emailed_link TO namewright_people;

-- Whatever changes how a person signs in voids every link that was emailed before, in the same transaction.
CREATE FUNCTION people.void_emailed_links() RETURNS trigger
  LANGUAGE plpgsql SET search_path = people, pg_temp
  AS $$
  BEGIN
    IF tg_table_name = 'user' THEN
      IF new.email IS DISTINCT FROM old.email THEN
        DELETE FROM people.emailed_link WHERE user_id = new.id;
      END IF;
    ELSIF tg_op = 'DELETE' THEN
      DELETE FROM people.emailed_link WHERE user_id = old.user_id;
    ELSE
      DELETE FROM people.emailed_link WHERE user_id = new.user_id;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER address_voids_links AFTER UPDATE OF email ON people."user"
  FOR EACH ROW EXECUTE FUNCTION people.void_emailed_links();
CREATE TRIGGER login_voids_links AFTER INSERT OR DELETE OR UPDATE OF password ON people.login
  FOR EACH ROW EXECUTE FUNCTION people.void_emailed_links();
CREATE TRIGGER passkey_voids_links AFTER INSERT OR DELETE ON people.passkey
  FOR EACH ROW EXECUTE FUNCTION people.void_emailed_links();
CREATE TRIGGER two_factor_voids_links AFTER INSERT OR DELETE OR UPDATE OF secret, verified ON people.two_factor
  FOR EACH ROW EXECUTE FUNCTION people.void_emailed_links();
