-- The web app: what people's own pages are let in as, and who pays for visitors.

-- The built-in application that people's pages are. It has no secret and nowhere to return to, so the authorization server
-- gives it nothing: its tokens come from a session of ours, and from nowhere else.
INSERT INTO people.oauth_client (id, client_id, name, redirect_uris, grant_types, response_types,
  token_endpoint_auth_method, require_pkce, created_at, updated_at)
VALUES ('namewright-web', 'namewright-web', 'Namewright web app', '[]', '[]', '[]', 'none', true, now(), now())
ON CONFLICT (client_id) DO NOTHING;

-- What a page was let in with ends with the session it was let in by, whatever ends that: signing out, a reset of the
-- password, another device. Before the session goes, because the token forgets it then. Each token that goes tells the
-- nodes itself (token_end).
CREATE FUNCTION people.end_passes() RETURNS trigger
  LANGUAGE plpgsql SET search_path = people, pg_temp
  AS $$
  BEGIN
    DELETE FROM people.oauth_access_token WHERE session_id = old.id AND client_id = 'namewright-web';
    RETURN old;
  END
  $$;
CREATE TRIGGER session_end BEFORE DELETE ON people.session
  FOR EACH ROW EXECUTE FUNCTION people.end_passes();

-- The account that visitors use without signing in. Nobody is a member of it, and lists of accounts tell it apart.
ALTER TABLE account ADD COLUMN is_visitors boolean NOT NULL DEFAULT false;
