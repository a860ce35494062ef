import { Option } from 'commander';
import { alertSentence, typicalMessagesSentence } from '../../domain/discovery/alert-sentence.ts';
import { extractorLabels } from '../../domain/discovery/extractor-labels.ts';
import type { ExtractorName } from '../../domain/discovery/fact.ts';
import { labelSummary } from '../../domain/discovery/label-sources.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { addConnectionOptions, type CliCommand, labelsOption } from '../cli-command.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { ConnectionOptions } from '../connect.ts';
import { readLabels } from '../labels.ts';
import { counted } from '../output/counted.ts';
import { findKey, resourceByName } from '../resources/find-resource.ts';
import { batchesOf } from './item-commands.ts';

interface AcceptOptions extends ConnectionOptions {
  all?: boolean;
  job?: string;
  extractor?: ExtractorName;
  artifact?: string;
  environment?: string;
  search?: string;
  role?: Schemas['DiscoveryRole'][];
  /** Name or ID of the rule. False with `--no-rule`. */
  rule?: string | false;
  defaultRule?: boolean;
  label?: string[];
  dryRun?: boolean;
}

type AcceptedItem = Schemas['AcceptedItem'];
type Outcome = Schemas['AcceptDiscoveredItemsResponse'];

/**
 * `accept ID… --rule NAME`: accepts discovered items. `accept --job NAME --rule NAME` accepts all new items
 * of a job.
 */
export const acceptCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command)
    .argument('[id...]', 'Discovered item IDs, such as 7 or discovered-items/7')
    .option('--all', 'All new items')
    .option('--job <id-or-name>', 'New items of this discovery job')
    .addOption(
      new Option('--extractor <name>', 'New items of this kind').choices(Object.keys(extractorLabels)),
    )
    .option('--artifact <key>', 'New items of this artifact')
    .option('--environment <name>', 'New items of this environment')
    .option('-q, --search <text>', 'New items whose artifact, path, or name contains this text')
    .addOption(
      new Option(
        '--role <role...>',
        'New items with this role (default: the roles of the discovery job)',
      ).choices(['deployed', 'build', 'ci']),
    )
    .option('--rule <id-or-name>', 'Rule for the alert configurations')
    .option('--default-rule', 'Use the default rule of the discovery job, even after it changes')
    .option('--no-rule', "Don't create alert configurations, now or later")
    .addOption(labelsOption('Label for all items; repeatable'))
    .option('--dry-run', 'Only show what would be created')
    .action(async (texts: string[], options: AcceptOptions) => {
      const { all = false, job, extractor, artifact, environment, search, rule, dryRun = false } = options;
      const { role, defaultRule = false } = options;
      const filters = [job, extractor, artifact, environment, search, role];
      const hasFilter = all || filters.some((filter) => filter !== undefined);
      if (hasFilter === texts.length > 0)
        throw usageError('Specify item IDs, --all, or a filter such as --job.');
      if ((rule === undefined) === !defaultRule)
        throw usageError('Use one of --rule NAME, --default-rule, or --no-rule for none.');
      const labels = readLabels(options.label ?? []);
      const batches = [...batchesOf(texts)];
      const { api } = await connect(options);
      const find = async (resource: string, reference: string) =>
        Number(await findKey(api, resourceByName(resource), reference));
      const withRule =
        rule === undefined ? {} : { rule_id: rule === false ? null : await find('rules', rule) };
      const accept = (which: Pick<Schemas['AcceptDiscoveredItemsRequest'], 'item_ids' | 'filter'>) =>
        api.call('acceptDiscoveredItems', { body: { ...which, ...withRule, labels, dry_run: dryRun } });

      const total = emptyTotal();
      for (const item_ids of batches) addTo(total, io, await accept({ item_ids }));
      if (hasFilter) {
        const filter = {
          ...(job !== undefined && { discovery_job_id: await find('discovery-jobs', job) }),
          ...(extractor !== undefined && { extractor }),
          ...(artifact !== undefined && { artifact }),
          ...(environment !== undefined && { environment }),
          ...(search !== undefined && { q: search }),
          ...(role !== undefined && { roles: role }),
        };
        // Continue after the last item of the previous response, because rejected items remain new and a dry run
        // doesn't accept any items.
        for (let after: { after_id?: number } | null = {}; after !== null; ) {
          const outcome: Outcome = await accept({ filter: { ...filter, ...after } });
          addTo(total, io, outcome);
          const last = outcome.items.at(-1);
          after = outcome.remaining_count > 0 && last ? { after_id: last.item_id } : null;
        }
      }
      io.stdout(`${describeTotal(total, dryRun)}\n`);
      if (total.rejected > 0) throw new CliError(`${counted(total.rejected, 'item')} rejected.`);
    });
};

interface Total {
  accepted: number;
  rejected: number;
  created: Outcome['created'];
  hostsWithoutCredential: Set<string>;
  otherRoles: number;
  ignored: number;
  /** Items with the labels that they get. */
  items: AcceptedItem[];
  /** Alerts that would open now. Null if the items were accepted. */
  alerts: Outcome['alerts'];
  /** Sums of the typical messages in all responses. Null if no response contains typical messages. */
  typicalMessages: Outcome['typical_messages'];
}

function emptyTotal(): Total {
  return {
    accepted: 0,
    rejected: 0,
    created: {
      helm_sync_jobs: 0,
      gather_jobs: 0,
      scrape_jobs: 0,
      alert_configs: 0,
    },
    hostsWithoutCredential: new Set(),
    otherRoles: 0,
    ignored: 0,
    items: [],
    alerts: null,
    typicalMessages: null,
  };
}

/** Prints the outcome of each item and adds the outcomes to the total. */
function addTo(total: Total, io: CliIo, outcome: Outcome): void {
  const verb = outcome.dry_run ? 'would be accepted' : 'accepted';
  for (const item of outcome.items) {
    const { item_id, outcome: result, name, message } = item;
    if (result === 'rejected') io.stderr(`Discovered item ${item_id}: ${message ?? 'rejected'}\n`);
    else if (result === 'already_accepted') io.stdout(`Discovered item ${item_id} was already accepted\n`);
    else io.stdout(`Discovered item ${item_id} ${verb}: ${name ?? ''}${describeUpstream(item)}\n`);
  }
  if (outcome.dry_run) total.items.push(...outcome.items);
  total.accepted += outcome.accepted_count;
  total.rejected += outcome.rejected_count;
  for (const kind of ['helm_sync_jobs', 'gather_jobs', 'scrape_jobs', 'alert_configs'] as const)
    total.created[kind] += outcome.created[kind];
  // Each response counts the items that remain for the filter, so the first response has the total.
  total.otherRoles ||= outcome.other_role_count;
  total.ignored ||= outcome.ignored_count;
  if (outcome.alerts !== null) {
    total.alerts ??= { moderate: 0, high: 0, critical: 0, unknown: 0 };
    for (const kind of ['moderate', 'high', 'critical', 'unknown'] as const)
      total.alerts[kind] += outcome.alerts[kind];
  }
  const { typical_messages: typical } = outcome;
  if (typical !== null) {
    const { per_week = 0, alert_configs = 0 } = total.typicalMessages ?? {};
    total.typicalMessages = {
      ...typical,
      per_week: per_week + typical.per_week,
      alert_configs: alert_configs + typical.alert_configs,
    };
  }
  for (const host of outcome.hosts_without_credential) total.hostsWithoutCredential.add(host);
}

/**
 * Describes the source with which an item is compared. For a likely match, includes the reason, so that the
 * user can check it.
 */
function describeUpstream({
  gather_job: gatherJob,
  mirror_gather_job: mirrorJob,
  proposal,
}: AcceptedItem): string {
  if (gatherJob === null) {
    const names = (proposal?.candidates ?? []).map(({ artifact_name }) => artifact_name);
    return names.length === 0 ? '' : `, not compared. Possible repositories: ${names.join(', ')}`;
  }
  const isGuess = proposal?.confidence === 'likely';
  const mirror = mirrorJob === null ? '' : ` and its mirror ${mirrorJob.name}`;
  return `, compared with ${gatherJob.name}${isGuess ? ` (likely: ${proposal.why})` : ''}${mirror}`;
}

function describeTotal(
  { accepted, created, hostsWithoutCredential, otherRoles, ignored, items, alerts, typicalMessages }: Total,
  dryRun: boolean,
): string {
  const parts = [
    counted(created.gather_jobs, 'gather job'),
    ...(created.helm_sync_jobs > 0 ? [counted(created.helm_sync_jobs, 'helm sync job')] : []),
    counted(created.scrape_jobs, 'scrape job'),
    counted(created.alert_configs, 'alert configuration'),
  ];
  const what = new Intl.ListFormat('en-US').format(parts);
  const lines = [
    dryRun
      ? `${counted(accepted, 'item')} would be accepted, creating ${what}.`
      : `${counted(accepted, 'item')} accepted, ${what} created.`,
  ];
  lines.push(...labelSummary(items).map((text) => `Label ${text}`));
  if (alerts !== null && created.alert_configs > 0) lines.push(alertSentence(alerts));
  if (typicalMessages !== null) lines.push(typicalMessagesSentence(typicalMessages, created.alert_configs));
  if (otherRoles > 0)
    lines.push(
      `${counted(otherRoles, 'other matching item')} from CI files and builds aren't included. Use --role to accept them.`,
    );
  if (ignored > 0)
    lines.push(
      `Not included because Renovate ignores them: ${counted(ignored, 'other matching item')}. To accept them, use their IDs.`,
    );
  if (hostsWithoutCredential.size > 0)
    lines.push(
      `No credential for ${[...hostsWithoutCredential].join(', ')}. Public sources don't need one; see source_credentials of the discovery job.`,
    );
  return lines.join('\n');
}
