/** A reliability guarantee of Pacekeeper, and the test files and long programs that try to break it. */
export interface ReliabilityPromise {
  number: number;
  sentence: string;
  guards: readonly string[];
}

/** The guards that are programs instead of test files. They exit with 0 if the guarantee held. */
export const longPrograms: readonly LongProgram[] = [
  { file: 'tests/faults/hostile-organizations.ts', long: ['30'], short: ['2'] },
  { file: 'tests/contract/fuzz.ts', long: ['100000'], short: ['1000'] },
  { file: 'tests/faults/load.ts', long: ['10'], short: ['0.2'] },
];

/** A program with its arguments for the long and the short form, such as a number of requests or minutes. */
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
      'tests/faults/acknowledged-writes.slow.test.ts',
      'tests/faults/history.slow.test.ts',
      'tests/faults/embedded-database.slow.test.ts',
      'tests/program/start-and-stop.slow.test.ts',
    ],
  },
  {
    number: 2,
    sentence:
      'No alert event is lost, even if processes or the database crash: every delivery ends as succeeded, dead letter, or canceled.',
    guards: [
      'tests/faults/no-event-lost.slow.test.ts',
      'tests/faults/email-killed.slow.test.ts',
      'tests/faults/ticket-killed.slow.test.ts',
      'tests/faults/database-away.slow.test.ts',
      'tests/faults/database-cut.slow.test.ts',
      'src/modules/notifications/deliveries/database-outage.test.ts',
    ],
  },
  {
    number: 3,
    sentence:
      'An alert configuration has at most one open alert, even under concurrency, and no trigger is lost.',
    guards: [
      'tests/faults/one-alert.test.ts',
      'tests/contract/concurrency.slow.test.ts',
      'src/platform/due-rows/due-table.test.ts',
    ],
  },
  {
    number: 4,
    sentence:
      "Each run is applied once and one worker makes each attempt. A worker that outlives its lease can't change anything.",
    guards: [
      'tests/faults/runs.slow.test.ts',
      'tests/faults/frozen-server.slow.test.ts',
      'tests/pipeline/two-servers.slow.test.ts',
      'tests/faults/killed-apply.slow.test.ts',
    ],
  },
  {
    number: 5,
    sentence: "A dead, slow, or malicious webhook receiver doesn't delay other channels.",
    guards: [
      'src/modules/notifications/deliveries/delivery-fairness.test.ts',
      'src/modules/notifications/deliveries/hostile-targets.slow.test.ts',
      'tests/security/silent-targets.test.ts',
      'tests/faults/hostile-organizations.ts',
    ],
  },
  {
    number: 6,
    sentence: "Clock jumps don't cause bursts or stalls.",
    guards: ['tests/faults/clock-jumps.slow.test.ts', 'src/server/recover-from-clock-jump.test.ts'],
  },
  {
    number: 7,
    sentence: 'No organization can see, change, or infer data of another organization.',
    guards: [
      'tests/contract/isolation.test.ts',
      'tests/tenancy.test.ts',
      'src/server/stream-events.slow.test.ts',
      'src/modules/links/acknowledge-page.test.ts',
      'src/modules/links/serve-badges.test.ts',
      'src/modules/links/serve-calendars.test.ts',
      'tests/security/stream-rights.slow.test.ts',
      'tests/security/account-oracle.test.ts',
    ],
  },
  {
    number: 8,
    sentence: 'No user input costs unbounded time or memory.',
    guards: [
      'src/platform/sandbox/hostile-content.slow.test.ts',
      'tests/security/sandbox-share.slow.test.ts',
      'tests/security/preview-share.test.ts',
      'tests/security/search-share.test.ts',
      'tests/security/connection-share.test.ts',
      'src/platform/http/slow-readers.test.ts',
      'src/server/serve-health.test.ts',
      'tests/security/apply-share.test.ts',
      'src/domain/patterns/pattern-cost.test.ts',
      'src/domain/templates/render-template.test.ts',
      'tests/security/key-limit.test.ts',
      'tests/security/organization-limits.test.ts',
      'src/sources/helm-index.test.ts',
      'src/sources/git-tags.test.ts',
    ],
  },
  {
    number: 9,
    sentence: "No outbound request reaches an address that isn't allowed.",
    guards: [
      'src/platform/outbound/egress-guard.test.ts',
      'src/platform/outbound/outbound-client.test.ts',
      'src/platform/outbound/outbound-redirects.test.ts',
      'src/agent/git/guarded-proxy.test.ts',
      'tests/security/rebinding.test.ts',
      'tests/security/outbound-proxy.test.ts',
      'tests/security/credential-chain.test.ts',
      'src/agent/run-host-discovery.test.ts',
    ],
  },
  {
    number: 10,
    sentence: 'Secrets are encrypted or hashed at rest, never logged, and never returned.',
    guards: [
      'tests/security/secrets.slow.test.ts',
      'tests/security/channel-secrets-stay.slow.test.ts',
      'tests/security/delivery-bodies.slow.test.ts',
      'tests/security/masking-oracle.slow.test.ts',
      'tests/security/guessing.slow.test.ts',
      'tests/security/configuration-secrets.test.ts',
      'tests/security/embedded-database.slow.test.ts',
      'tests/security/pipeline-keys.test.ts',
      'tests/security/files-and-arguments.test.ts',
      'src/platform/secrets/secret-box.test.ts',
      'src/modules/notifications/channels/channel-handlers.test.ts',
    ],
  },
  {
    number: 11,
    sentence: 'Malicious input gets a clear 4xx response, and every response matches the API contract.',
    guards: [
      'tests/contract/fuzz.slow.test.ts',
      'tests/contract/fuzz.ts',
      'tests/contract/every-operation.slow.test.ts',
      'tests/security/stored-texts.slow.test.ts',
      'tests/security/inherited-names.slow.test.ts',
      'src/domain/csv/csv-text.test.ts',
      'tests/e2e/every-page.slow.test.ts',
    ],
  },
  {
    number: 12,
    sentence: 'Shutdown is graceful: in-flight work finishes and leases are released.',
    guards: [
      'tests/faults/clean-stop.slow.test.ts',
      'src/server/stop-server.slow.isolated.test.ts',
      'tests/program/one-signal.slow.test.ts',
    ],
  },
  {
    number: 13,
    sentence: 'Health endpoints work even when the database is down.',
    guards: [
      'tests/faults/database-away.slow.test.ts',
      'tests/faults/embedded-database.slow.test.ts',
      'tests/contract/limits-and-outages.slow.test.ts',
    ],
  },
  {
    number: 14,
    sentence: 'Upgrades are safe: migrations run once, under a lock, in a transaction.',
    guards: ['src/platform/database/migrate.test.ts', 'src/operator/commands/rotate-secret-key.slow.test.ts'],
  },
  {
    number: 15,
    sentence:
      'Under sustained load, no request fails and memory stays flat: ten minutes of mixed traffic at 70% of the measured limit.',
    guards: ['tests/faults/load.ts'],
  },
  {
    number: 16,
    sentence:
      'Links, invitations, keys, sessions, and streams stop working when the permission that created them ends.',
    guards: [
      'tests/security/rights-end.slow.test.ts',
      'tests/security/keys-and-people.test.ts',
      'tests/security/sessions.test.ts',
      'tests/security/single-sign-on.slow.test.ts',
      'tests/security/sign-on-attacks.test.ts',
      'tests/security/deployment-trusts.slow.test.ts',
      'tests/security/device-logins.test.ts',
      'tests/security/session-cookies.test.ts',
      'tests/security/chat-buttons.slow.test.ts',
      'tests/security/required-two-factor.slow.test.ts',
      'tests/security/streams-end.slow.test.ts',
      'tests/security/pre-hijack.test.ts',
      'tests/security/planted-attempts.test.ts',
      'tests/security/audit-of-logins.test.ts',
    ],
  },
  {
    number: 17,
    sentence:
      'No request keeps the server busy for long, and unauthenticated request bodies use bounded memory.',
    guards: [
      'tests/security/body-cost.slow.test.ts',
      'tests/security/body-memory.test.ts',
      'tests/security/answer-size.slow.test.ts',
      'tests/security/completion-cost.slow.test.ts',
      'tests/security/parsing-table.test.ts',
      'tests/security/tracker-answers.slow.test.ts',
      'tests/contract/request-bounds.test.ts',
      'src/platform/http/read-body-bytes.isolated.test.ts',
    ],
  },
  {
    number: 18,
    sentence:
      'Nothing an organization makes agents fetch, parse, or clone blocks the work of other organizations.',
    guards: [
      'tests/security/hostile-sources.slow.test.ts',
      'tests/security/agent-limits.test.ts',
      'tests/security/run-time-limit.test.ts',
      'tests/security/git-fairness.slow.test.ts',
      'tests/security/hostile-repositories.slow.test.ts',
      'tests/security/expression-cost.slow.test.ts',
      'src/domain/discovery/hostile-texts.test.ts',
    ],
  },
];
