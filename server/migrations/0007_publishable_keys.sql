-- A key that may stand in a web page: it counts only in requests from pages of these origins. None: an ordinary, secret
-- key. What such a key may do is little, whoever changes it, because everybody can read it.
ALTER TABLE api_key ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}';
ALTER TABLE api_key ADD CONSTRAINT api_key_publishable CHECK (
  allowed_origins = '{}' OR (client_id IS NULL AND scopes <@ ARRAY['generate', 'domains:check'])
);
