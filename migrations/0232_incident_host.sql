-- The host in the keys of incidents in other systems, stored with the first one. A changed base URL must not change the keys,
-- because open incidents are closed by them.
ALTER TABLE installation ADD COLUMN incident_host text;
