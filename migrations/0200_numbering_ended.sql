-- A deployed version whose numbering upstream gave up is a warning, like the other reasons of the state `ok`.
CREATE OR REPLACE FUNCTION alert_config_kind(state text, state_reason text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN state = 'ok'
      AND coalesce(state_reason IN ('ahead_of_upstream', 'variant_ended', 'numbering_ended'), false)
    THEN 'warning' ELSE state END
$$;
