import type { HeldTask, TaskOf, TaskSummary } from '../../src/agent/agent-task.ts';
import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';

export interface DiscoveryOutcome {
  items: DiscoveryResultItem[];
  summary: TaskSummary | null;
  /** Error that the agent reported when the task failed. */
  error: unknown;
  /** All data that the agent sent to the server, as text. */
  wire: string;
}

/** Creates a discovery task without a server, and records its outcome. */
export function createRecordedDiscovery(spec: Partial<TaskOf<'discovery'>['spec']>): {
  held: HeldTask<TaskOf<'discovery'>>;
  outcome: DiscoveryOutcome;
} {
  const outcome: DiscoveryOutcome = { items: [], summary: null, error: null, wire: '' };
  const ended = Promise.withResolvers<void>();
  const held: HeldTask<TaskOf<'discovery'>> = {
    task: {
      task_id: 1,
      organization_id: 2,
      lease_token: 'lease',
      lease_expires_at: '',
      kind: 'discovery',
      spec: {
        ...defaultSpec,
        ...spec,
      },
    },
    signal: new AbortController().signal,
    limitTime: () => undefined,
    ended: ended.promise,
    listPackages: () => Promise.reject(new Error('no reference task')),
    listCves: () => Promise.reject(new Error('no reference task')),
    findMissingRecords: () => Promise.reject(new Error('no reference task')),
    async sendPart(items) {
      const text = JSON.stringify(items);
      outcome.wire += text;
      outcome.items.push(...(JSON.parse(text) as DiscoveryResultItem[]));
    },
    async complete(summary) {
      outcome.wire += JSON.stringify(summary);
      outcome.summary = summary;
      ended.resolve();
    },
    async fail(error) {
      outcome.error = error;
      outcome.wire += error instanceof Error ? error.message : String(error);
      ended.resolve();
    },
  };
  return { held, outcome };
}

const defaultSpec = {
  discovery_job_id: 1,
  repository_url: null,
  ref: null,
  include: [],
  exclude: [],
  extractors: [],
  label_rules: [],
  custom_extractors: [],
  credential_name: 'cluster',
  validators: null,
} as const satisfies TaskOf<'discovery'>['spec'];
