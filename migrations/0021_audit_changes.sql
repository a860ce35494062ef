-- What an edit changed, and the filters of the log. Each index has the order of the list.

-- Gives way before PostgreSQL calls it a deadlock.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE audit_log ADD COLUMN changes jsonb;
CREATE INDEX audit_log_by_action ON audit_log (organization_id, action, created_at, id);
CREATE INDEX audit_log_by_actor_type ON audit_log (organization_id, actor_type, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (organization_id, actor_type, actor_id, created_at, id);
CREATE INDEX audit_log_by_actor_name ON audit_log (organization_id, lower(actor_name), created_at, id);
