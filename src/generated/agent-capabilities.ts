// Generated from spec/openapi-agent.yaml by `npm run generate -- contract`. Do not edit.

/** The capabilities that tasks require of an agent. */
export const taskCapabilities = [
  'gather:github_releases',
  'gather:helm_repository',
  'gather:oci_registry',
  'gather:git_tags',
  'gather:gitlab_releases',
  'gather:gitea_releases',
  'gather:http_json',
  'gather:http_text',
  'gather:deployed_versions',
  'gather:lifecycle',
  'scrape',
  'scrape:http',
  'scrape:prometheus',
  'helm_sync',
  'discovery',
  'discovery:kubernetes',
  'discovery:docker',
  'reference:end_of_life',
  'reference:epss',
  'reference:known_exploited',
  'reference:vulnerabilities',
] as const;
