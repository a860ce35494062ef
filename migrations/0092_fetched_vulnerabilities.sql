-- An agent fetches known vulnerabilities: only records that were modified since.
SET LOCAL lock_timeout = '500ms';

-- As the record states it. Null: unknown.
ALTER TABLE vulnerabilities ADD COLUMN modified_at timestamptz;
