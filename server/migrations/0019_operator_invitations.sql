-- Invitations by the operator's command: they need no member who invites, and only they may make somebody an owner.

-- False also for an invitation whose sender is deleted: that one stays void.
ALTER TABLE invitation ADD COLUMN by_operator boolean NOT NULL DEFAULT false;
ALTER TABLE invitation DROP CONSTRAINT invitation_role_check;
ALTER TABLE invitation ADD CONSTRAINT invitation_role_check
  CHECK (role IN ('admin', 'member', 'viewer') OR role = 'owner' AND by_operator) NOT VALID;
