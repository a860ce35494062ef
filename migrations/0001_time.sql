-- The one clock of every decision. Stable within a statement, whole milliseconds, so that what is stored
-- is what the API shows. Tests shift time by replacing this function; nothing else can.
CREATE FUNCTION pacekeeper_now() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT date_trunc('milliseconds', statement_timestamp()) $$;
