/** A promise of Pacekeeper, and the test files and long programs that try to break it. */
export interface ReliabilityPromise {
  number: number;
  sentence: string;
  guards: readonly string[];
}

/** Guards that are no tests but programs: they end with 0 when the promise held. */
export const longPrograms: readonly LongProgram[] = [
  { file: 'tests/contract/fuzz.ts', long: ['100000'], short: ['1000'] },
  { file: 'tests/faults/load.ts', long: ['10'], short: ['0.2'] },
];

/** Its arguments in the long form and in the short one: so many requests, so many minutes. */
interface LongProgram {
  file: string;
  long: readonly string[];
  short: readonly string[];
}

export const reliabilityPromises: readonly ReliabilityPromise[] = [
  {
    number: 1,
    sentence: 'An acknowledged write is never lost.',
    guards: [
      'tests/faults/acknowledged-writes.test.ts',
      'tests/faults/embedded-database.test.ts',
      'tests/program/start-and-stop.test.ts',
    ],
  },
  {
    number: 2,
    sentence: 'Every event of an alert reaches every channel that it was routed to, whatever dies.',
    guards: [
      'tests/faults/no-event-lost.test.ts',
      'tests/faults/database-away.test.ts',
      'tests/faults/database-cut.test.ts',
      'src/modules/notifications/deliveries/database-outage.test.ts',
    ],
  },
  {
    number: 3,
    sentence: 'A configuration has one open alert, whatever runs at the same time; no trigger is lost.',
    guards: [
      'tests/faults/one-alert.test.ts',
      'tests/contract/concurrency.test.ts',
      'src/platform/due-rows/due-table.test.ts',
    ],
  },
  {
    number: 4,
    sentence:
      'Each run is applied once and each attempt made by one worker; who was frozen past its lease changes nothing.',
    guards: [
      'tests/faults/runs.test.ts',
      'tests/faults/frozen-server.test.ts',
      'tests/pipeline/two-servers.test.ts',
    ],
  },
  {
    number: 5,
    sentence: 'A dead, slow or hostile webhook target delays no other channel.',
    guards: [
      'src/modules/notifications/deliveries/delivery-fairness.test.ts',
      'src/modules/notifications/deliveries/hostile-targets.test.ts',
    ],
  },
  {
    number: 6,
    sentence: 'A clock that jumps causes no storm and no standstill.',
    guards: ['tests/faults/clock-jumps.test.ts', 'src/server/recover-from-clock-jump.test.ts'],
  },
  {
    number: 7,
    sentence: 'No organization sees, changes or infers anything of another.',
    guards: [
      'tests/contract/isolation.test.ts',
      'tests/tenancy.test.ts',
      'src/server/stream-events.test.ts',
      'src/modules/overview/acknowledge-page.test.ts',
      'src/modules/overview/serve-badges.test.ts',
      'tests/security/stream-rights.test.ts',
      'tests/security/account-oracle.test.ts',
    ],
  },
  {
    number: 8,
    sentence: 'Nothing that a user writes costs unbounded time or memory.',
    guards: [
      'src/platform/sandbox/hostile-content.test.ts',
      'tests/security/sandbox-share.test.ts',
      'src/domain/patterns/pattern-cost.test.ts',
      'src/domain/templates/render-template.test.ts',
      'tests/security/key-limit.test.ts',
      'src/sources/helm-index.test.ts',
      'src/sources/git-tags.test.ts',
    ],
  },
  {
    number: 9,
    sentence: 'No request goes out to an address that is not allowed.',
    guards: [
      'src/platform/outbound/egress-guard.test.ts',
      'src/platform/outbound/outbound-client.test.ts',
      'src/platform/outbound/outbound-redirects.test.ts',
      'src/agent/git/guarded-proxy.test.ts',
      'tests/security/rebinding.test.ts',
      'tests/security/credential-chain.test.ts',
    ],
  },
  {
    number: 10,
    sentence: 'Secrets are encrypted or hashed at rest, never logged, never returned.',
    guards: [
      'tests/security/secrets.test.ts',
      'tests/security/channel-secrets-stay.test.ts',
      'tests/security/delivery-bodies.test.ts',
      'tests/security/masking-oracle.test.ts',
      'tests/security/upgrade-drops-responses.test.ts',
      'tests/security/guessing.test.ts',
      'tests/security/configuration-secrets.test.ts',
      'tests/security/embedded-database.test.ts',
      'tests/security/pipeline-keys.test.ts',
      'tests/security/files-and-arguments.test.ts',
      'src/platform/secrets/secret-box.test.ts',
      'src/modules/notifications/channels/channel-handlers.test.ts',
    ],
  },
  {
    number: 11,
    sentence: 'Hostile input gets a clear 4xx, and no answer is other than the contract says.',
    guards: [
      'tests/contract/fuzz.test.ts',
      'tests/contract/fuzz.ts',
      'tests/contract/every-operation.test.ts',
      'tests/security/stored-texts.test.ts',
      'src/domain/csv/csv-text.test.ts',
      'tests/e2e/every-page.test.ts',
    ],
  },
  {
    number: 12,
    sentence: 'It stops cleanly: what is in flight is finished, leases are given back.',
    guards: [
      'tests/faults/clean-stop.test.ts',
      'src/server/stop-server.test.ts',
      'tests/program/one-signal.test.ts',
    ],
  },
  {
    number: 13,
    sentence: 'It says how it is, also while its database is away.',
    guards: [
      'tests/faults/database-away.test.ts',
      'tests/faults/embedded-database.test.ts',
      'tests/contract/limits-and-outages.test.ts',
    ],
  },
  {
    number: 14,
    sentence: 'Upgrades lose nothing: migrations run once, under a lock, whole or not at all.',
    guards: ['src/platform/database/migrate.test.ts', 'src/operator/commands/rotate-secret-key.test.ts'],
  },
  {
    number: 15,
    sentence:
      'Under load nothing fails and nothing grows: ten minutes of mixed traffic at 70 % of the measured limit.',
    guards: ['tests/faults/load.ts'],
  },
  {
    number: 16,
    sentence:
      'A right ends with whoever gave it: links, invitations, keys, sessions, and streams end with the right that created them.',
    guards: [
      'tests/security/rights-end.test.ts',
      'tests/security/rights-end-migration.test.ts',
      'tests/security/keys-and-people.test.ts',
      'tests/security/sessions.test.ts',
      'tests/security/streams-end.test.ts',
      'tests/security/pre-hijack.test.ts',
    ],
  },
  {
    number: 17,
    sentence:
      'No request keeps the server busy for long, and bodies take bounded memory before anyone is known.',
    guards: [
      'tests/security/body-cost.test.ts',
      'tests/security/body-memory.test.ts',
      'tests/security/answer-size.test.ts',
      'tests/security/completion-cost.test.ts',
      'tests/contract/request-bounds.test.ts',
      'src/platform/http/read-body-bytes.test.ts',
    ],
  },
  {
    number: 18,
    sentence: 'Whatever an organization makes agents fetch, parse, or clone, the work of others goes on.',
    guards: [
      'tests/security/hostile-sources.test.ts',
      'tests/security/agent-limits.test.ts',
      'tests/security/run-time-limit.test.ts',
      'tests/security/git-fairness.test.ts',
    ],
  },
];
