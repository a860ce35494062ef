-- Silences: while one is active, the alerts that it matches send no notifications.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE silences (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  label_matchers jsonb NOT NULL DEFAULT '[]',
  -- No foreign key: the alerts of a deleted rule are deleted with it, and a silence must not match more than before.
  rule_ids bigint[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  starts_at timestamptz NOT NULL,
  -- Equal to starts_at if it was ended in the millisecond in which it started.
  ends_at timestamptz NOT NULL CHECK (ends_at >= starts_at),
  reason text NOT NULL,
  created_by_type text NOT NULL,
  created_by_id bigint,
  created_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX silences_newest ON silences (organization_id, created_at, id);
-- Few of those that are kept haven't ended.
CREATE INDEX silences_by_end ON silences (organization_id, ends_at, id);
-- For those that are kept long enough, whoever's they are.
CREATE INDEX silences_oldest_ends ON silences (ends_at);
CREATE TRIGGER silences_raise_revision
  BEFORE UPDATE OF label_matchers, rule_ids, severities, starts_at, ends_at, reason
  ON silences FOR EACH ROW WHEN (
    (OLD.label_matchers, OLD.rule_ids, OLD.severities, OLD.starts_at, OLD.ends_at, OLD.reason)
    IS DISTINCT FROM
    (NEW.label_matchers, NEW.rule_ids, NEW.severities, NEW.starts_at, NEW.ends_at, NEW.reason)
  ) EXECUTE FUNCTION raise_revision();

-- Open alerts whose opening or escalation wasn't reported because of a silence. Due when the last of the silences that
-- match it ends. reported_severity: the severity before the first such escalation; null if the opening wasn't reported.
CREATE TABLE silenced_alerts (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  reported_severity text CHECK (reported_severity IN ('moderate', 'high', 'critical')),
  due_at timestamptz NOT NULL,
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, alert_id),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX silenced_alerts_due ON silenced_alerts (due_at) WHERE due_at < 'infinity';
