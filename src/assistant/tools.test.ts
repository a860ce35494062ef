import { expect, test } from 'vitest';
import type { Schemas } from '../generated/client-api.ts';
import type { ReadClient } from './read-client.ts';
import { tools } from './tools.ts';

type Bodies = Partial<Record<Parameters<ReadClient['call']>[0], object>>;

/** Returns the caveats of a tool for these responses of the API. */
async function caveatsOf(name: string, input: Record<string, unknown>, bodies: Bodies, link = '') {
  const headers = new Headers({ date: 'Sun, 15 Mar 2026 09:30:00 GMT', ...(link && { link }) });
  const send = async (id: keyof Bodies) => ({ status: 200, headers, body: bodies[id] });
  const api = { send, call: async (id: keyof Bodies) => bodies[id] } as unknown as ReadClient;
  const tool = tools.find((each) => each.name === name)!;
  return (await tool.run({ api, server: 'https://pacekeeper.example.org' }, input)).caveats;
}

const upgrades = {
  items: [],
  counts: { needs_action: 0, planned: 0, snoozed: 0, unknown: 0, ok: 0 },
  is_complete: true,
  total: 0,
  total_is_exact: true,
};
const reference = { id: 1, name: 'web' };
const config = {
  ...reference,
  state: 'ok',
  state_reason: null,
  active_alert_id: null,
  mirror_of: null,
  scrape_job: reference,
  gather_job: reference,
  rule: reference,
};
const explained = { evaluated_at: null, deployed_unconfirmed: null, explanation: null };
const job = {
  ...reference,
  list_completeness: 'complete',
  mirror_of: null,
  status: 'completed',
  is_active: true,
};
const noReleases = { items: [], total: 0, total_is_exact: true };
const support = { from: '', is_complete: true, unknown: [], items: [], total: 0, total_is_exact: true };
const matrix = { environments: [], is_complete: true, items: [], total: 0, total_is_exact: true };
const exposure = { ...reference, scrape_job: null, status: 'running', gap_count: 0, gaps: [] };
const exposures = { as_of: '', known_since: null, items: [], total: 0, total_is_exact: true };
const row = { service: 'shop', component: null, newest_version: null, is_complete: false, cells: [] };
const notes: Schemas['ReleaseNotes'] = {
  from: '1.0.0',
  to: '2.0.0',
  releases: [
    {
      release_id: 1,
      version: '2.0.0',
      released_at: null,
      url: null,
      notes: null,
      notes_source: null,
      is_cut: true,
      hints: [],
    },
  ],
  totals: { releases: 900, is_exact: false, with_notes: 1, read: 0, hints: 0, breaking: 0 },
  compare_url: null,
  project_url: null,
  project_gather_job_id: null,
  is_cut: true,
};
const simulated = {
  items: [],
  total: 250,
  is_complete: false,
  evaluated: 1,
  totals: { alerts: 250, things: 1, open_at_start: 0, open_at_end: 0 },
  compared_with: null,
  left_out: [{ reason: 'limit', count: 2 }],
  partly_known: 1,
  messages: [],
};

test.each<[string, RegExp, Record<string, unknown>, Bodies]>([
  ['list_upgrades', /^The list is incomplete/, {}, { listUpgrades: { ...upgrades, is_complete: false } }],
  [
    'get_upgrade',
    /^The state of 3 of its places isn't known/,
    { upgrade_id: '1-2' },
    {
      getUpgrade: { id: '1-2', gather_job: reference, places: { unknown: 3 } },
      listUpgradePlaces: noReleases,
    },
  ],
  [
    'explain_state',
    /^The deployed version is the last known one: since Mar 14, 2026, its file can't be read/,
    { alert_config_id: 1 },
    {
      getAlertConfig: config,
      getAlertConfigExplanation: {
        ...explained,
        deployed_unconfirmed: { reason: 'file_unread', since: '2026-03-14T22:00:00.000Z' },
      },
    },
  ],
  [
    'explain_state',
    /in a mirror of docker\.io\/library\/redis/,
    { alert_config_id: 1 },
    {
      getAlertConfig: { ...config, mirror_of: 'docker.io/library/redis' },
      getAlertConfigExplanation: explained,
    },
  ],
  [
    'list_releases',
    /^Newer releases might be missing/,
    { gather_job_id: 1 },
    { getGatherJob: { ...job, list_completeness: 'incomplete' }, listReleases: noReleases },
  ],
  [
    'list_releases',
    /^The oldest releases might be missing/,
    { gather_job_id: 1 },
    { getGatherJob: { ...job, list_completeness: 'complete_at_top' }, listReleases: noReleases },
  ],
  [
    'list_releases',
    /a mirror of quay\.io\/a\/b/,
    { gather_job_id: 1 },
    { getGatherJob: { ...job, mirror_of: 'quay.io/a/b' }, listReleases: noReleases },
  ],
  [
    'list_releases',
    /^The last run failed/,
    { gather_job_id: 1 },
    { getGatherJob: { ...job, status: 'failed' }, listReleases: noReleases },
  ],
  [
    'list_environments',
    /^Only the first environments/,
    {},
    { getEnvironmentMatrix: { ...matrix, is_complete: false } },
  ],
  [
    'list_environments',
    /^Only some scrape jobs of shop are compared/,
    {},
    { getEnvironmentMatrix: { ...matrix, items: [row] } },
  ],
  [
    'list_exposures',
    /^1 of 2 exposures have gaps in which the scrape job wasn't read/,
    {},
    { listExposures: { ...exposures, items: [exposure, { ...exposure, gap_count: 2 }] } },
  ],
  [
    'list_exposures',
    /^1 of 1 exposures haven't been confirmed since last_seen_at/,
    {},
    { listExposures: { ...exposures, items: [{ ...exposure, status: 'unconfirmed' }] } },
  ],
  [
    'list_exposures',
    /^The time at which the vulnerability became known isn't known/,
    { vulnerability_id: 'CVE-2026-1' },
    { listExposures: exposures },
  ],
  ['list_support_ends', /^Not all alert config/, {}, { getSupport: { ...support, is_complete: false } }],
  [
    'list_support_ends',
    /^4 without a date: /,
    {},
    { getSupport: { ...support, unknown: [{ reason: 'no_lifecycle', count: 4 }] } },
  ],
  ['list_labels', /^There are more labels/, {}, { getSoftwareLabels: { items: [], is_complete: false } }],
  [
    'list_changes',
    /^This result has 1 of at least 900/,
    { gather_job_id: 1 },
    { getGatherJobReleaseNotes: notes },
  ],
  [
    'list_changes',
    /^Only the newest release can be listed/,
    { gather_job_id: 1 },
    { getGatherJobReleaseNotes: notes },
  ],
  [
    'list_changes',
    /^Only the notes of the newest 0/,
    { gather_job_id: 1 },
    { getGatherJobReleaseNotes: notes },
  ],
  ['list_changes', /^Some notes didn't fit/, { gather_job_id: 1 }, { getGatherJobReleaseNotes: notes }],
  ['simulate_rule', /^The simulation is incomplete/, { rule_id: 1 }, { simulateRule: simulated }],
  ['simulate_rule', /^2 alert configurations excluded/, { rule_id: 1 }, { simulateRule: simulated }],
  ['simulate_rule', /known for only part of this period/, { rule_id: 1 }, { simulateRule: simulated }],
  ['simulate_rule', /^This result has 0 of 250 alerts/, { rule_id: 1 }, { simulateRule: simulated }],
])('%s returns the limitations that the API reports as caveats: %s', async (name, caveat, input, bodies) => {
  expect(await caveatsOf(name, input, bodies)).toContainEqual(expect.stringMatching(caveat));
});

test('a list states how many of its items the result contains', async () => {
  const link = '</api/v1/client/upgrades?limit=10&cursor=abc>; rel="next"';
  const bodies = { listUpgrades: { ...upgrades, total: 10_000, total_is_exact: false } };
  expect(await caveatsOf('list_upgrades', {}, bodies, link)).toEqual([
    'This result has 0 of more than 10000 upgrades. Use next_cursor for the others.',
  ]);
  expect(await caveatsOf('list_upgrades', {}, { listUpgrades: upgrades })).toEqual([]);
});
