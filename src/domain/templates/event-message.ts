import type { DeploymentChange } from '../deployments/deployment-change.ts';
import { formatTargetLimit, withUnit } from '../freshness/freshness-metrics.ts';
import { formatLibyears, monthName } from '../freshness/freshness-report.ts';
import type {
  AlertData,
  ChannelEventData,
  DeploymentEventData,
  DigestCause,
  DigestEventData,
  EventData,
  FreshnessReportEventData,
  ProblemResolution,
  ReleaseMovedEventData,
  SingleEventData,
} from '../routing/notification-event.ts';
import { formatAmount, formatLag } from '../rules/format-lag.ts';
import { alertSeverities } from '../rules/severity.ts';
import { jobKindLabels } from '../runs/job-kind-labels.ts';
import { formatSupport } from '../support/format-support.ts';
import { capitalized } from '../text/capitalized.ts';
import { readableTime } from '../text/readable-time.ts';
import { cleanLine, safeUrl } from './clean-text.ts';

export type MessageLevel = 'critical' | 'high' | 'moderate' | 'info' | 'good';

export interface MessageLink {
  label:
    | 'View alert'
    | 'View job'
    | 'View freshness'
    | 'View report'
    | 'View release'
    | 'Acknowledge'
    | 'Release notes';
  /** A percent-encoded http or https URL. */
  url: string;
}

/**
 * Content of a message about an event, before formatting for a platform. All texts are single lines without
 * control characters. Names have at most 200 characters. Nothing is escaped yet.
 */
export interface EventMessage {
  title: string;
  level: MessageLevel;
  facts: { label: string; value: string }[];
  links: MessageLink[];
  timestamp: string;
  /** Readable time of the event, in the channel's time zone. */
  time: string;
  /** Footer, such as `Acme · Pacekeeper`. */
  footer: string;
  /** Messages of the events in a digest, in order. Empty for other events. */
  items: EventMessage[];
}

export function describeEvent(event: EventData): EventMessage {
  const common = {
    timestamp: event.timestamp,
    time: readableTime(event.timestamp, event.timezone),
    footer: `${nameOf(event.organization.name)} · Pacekeeper`,
    items: [],
  };
  switch (event.event) {
    case 'digest': {
      const items = event.events.map(describeEvent);
      const count = countByType(event.events.map((each) => each.event));
      const title = event.cause === null ? count : `${count}: ${causeTitle(event)}`;
      return { ...common, title, level: worstLevel(items), facts: [], links: [], items };
    }
    case 'job.failing':
    case 'job.recovered': {
      const { job } = event;
      const kind = jobKindLabels[job.kind];
      const facts = factList([
        ['Closes', job.resolution === null ? null : `${kind} failing`],
        ['Error', job.error_message ?? job.error_code],
        ['Last success', readableTime(job.last_success_at ?? 'never', event.timezone)],
      ]);
      const end = job.resolution === null ? 'failing' : endText(job.resolution, 'recovered');
      return {
        ...common,
        title: `${kind} ${end}: ${nameOf(job.name)}`,
        level: levelOf(job.resolution),
        facts,
        links: linkList([['View job', job.resolution === 'deleted' ? null : job.url]]),
      };
    }
    case 'agent.offline':
    case 'agent.online': {
      const { agent } = event;
      const facts = factList([
        ['Closes', agent.resolution === null ? null : 'Agent offline'],
        ['Host', agent.hostname],
        ['Last seen', readableTime(agent.last_heartbeat_at ?? 'never', event.timezone)],
      ]);
      const end = agent.resolution === null ? 'offline' : endText(agent.resolution, 'online');
      return {
        ...common,
        title: `Agent ${end}: ${nameOf(agent.name)}`,
        level: levelOf(agent.resolution),
        facts,
        links: [],
      };
    }
    case 'login_provider.failing':
    case 'login_provider.recovered': {
      const { name, reason, resolution } = event.provider;
      const end = resolution === null ? 'failing' : endText(resolution, 'recovered');
      return {
        ...common,
        title: `Login provider ${end}: ${nameOf(name)}`,
        level: levelOf(resolution),
        facts: factList([
          ['Closes', resolution === null ? null : 'Login provider failing'],
          ['Reason', reason],
          ['Effect', resolution === null ? 'Sessions pause, and no one can log in with it.' : null],
        ]),
        links: [],
      };
    }
    case 'target.missed':
    case 'target.met': {
      const { target } = event;
      const facts = factList([
        ['Closes', target.resolution === null ? null : 'Freshness target missed'],
        [
          'Within target',
          target.now_percent === null ? null : `${target.now_percent}% (goal ${target.goal_percent}%)`,
        ],
        ['Limit', formatTargetLimit(target)],
        ['Out of target', String(target.out_of_target)],
      ]);
      const end = target.resolution === null ? 'missed' : endText(target.resolution, 'met');
      return {
        ...common,
        title: `Freshness target ${end}: ${nameOf(target.name)}`,
        level: levelOf(target.resolution),
        facts,
        links: linkList([['View freshness', target.url]]),
      };
    }
    case 'freshness.report':
      return { ...common, ...describeReport(event.report) };
    case 'release.moved':
      return { ...common, ...describeMove(event.release, event.timezone) };
    case 'deployment.changed':
      return { ...common, ...describeDeployment(event.deployment, event.timezone) };
    case 'channel.disabled':
    case 'channel.failing':
    case 'delivery.failed':
    case 'channel.enabled':
    case 'channel.recovered':
    case 'delivery.recovered': {
      const { resolution, reason, name } = event.channel;
      const [problem, recovery] = channelTitles[event.event];
      const ended = endText(resolution, '');
      const end = ended === '' ? recovery : `Channel ${ended}`;
      return {
        ...common,
        title: `${resolution === null ? problem : end}: ${nameOf(name)}`,
        level: levelOf(resolution),
        facts: factList([
          ['Closes', resolution === null ? null : problem],
          ['Reason', reason],
        ]),
        links: [],
      };
    }
    default:
      return { ...common, ...describeAlert(event) };
  }
}

const disabledTitles = ['Channel disabled', 'Channel enabled'] as const;
const failingTitles = ['Channel failing', 'Channel recovered'] as const;
const deliveryTitles = ['Message not delivered', 'Delivering messages again'] as const;
/** Titles of a problem and of its recovery. */
const channelTitles: Readonly<
  Record<ChannelEventData['event'], readonly [problem: string, recovery: string]>
> = {
  'channel.disabled': disabledTitles,
  'channel.enabled': disabledTitles,
  'channel.failing': failingTitles,
  'channel.recovered': failingTitles,
  'delivery.failed': deliveryTitles,
  'delivery.recovered': deliveryTitles,
};

/** @param recovery Word for a recovery, such as `online`. */
function endText(resolution: ProblemResolution | null, recovery: string): string {
  switch (resolution) {
    case 'deleted':
    case 'disabled':
    case 'reconfigured':
      return resolution;
    default:
      return recovery;
  }
}

/** Returns the level of a problem event. `info` marks a problem that ended without a recovery. */
function levelOf(resolution: ProblemResolution | null): MessageLevel {
  if (resolution === null) return 'high';
  return resolution === 'recovered' ? 'good' : 'info';
}

/** Singular and plural labels of event types, the most important first. */
const countedTypes: Readonly<Record<Exclude<EventData['event'], 'digest'>, [one: string, many: string]>> = {
  'alert.created': ['new alert', 'new alerts'],
  'alert.escalated': ['escalated', 'escalated'],
  'alert.reminder': ['reminder', 'reminders'],
  'alert.resolved': ['resolved', 'resolved'],
  'alert.acknowledged': ['acknowledged', 'acknowledged'],
  'alert.unacknowledged': ['unacknowledged', 'unacknowledged'],
  'job.failing': ['failing job', 'failing jobs'],
  'agent.offline': ['agent offline', 'agents offline'],
  'job.recovered': ['job no longer failing', 'jobs no longer failing'],
  'agent.online': ['agent no longer offline', 'agents no longer offline'],
  'login_provider.failing': ['login provider failing', 'login providers failing'],
  'login_provider.recovered': ['login provider recovered', 'login providers recovered'],
  'channel.disabled': ['channel disabled', 'channels disabled'],
  'channel.failing': ['channel failing', 'channels failing'],
  'channel.enabled': ['channel enabled', 'channels enabled'],
  'channel.recovered': ['channel recovered', 'channels recovered'],
  'delivery.failed': ['channel with undelivered messages', 'channels with undelivered messages'],
  'delivery.recovered': ['channel that delivers again', 'channels that deliver again'],
  'target.missed': ['target missed', 'targets missed'],
  'target.met': ['target met', 'targets met'],
  'freshness.report': ['freshness report', 'freshness reports'],
  'release.moved': ['moved release', 'moved releases'],
  'deployment.changed': ['deployment', 'deployments'],
  'channel.test': ['test', 'tests'],
};

/** Formats the counts, such as `3 new alerts, 1 resolved`. */
function countByType(types: readonly EventData['event'][]): string {
  return Object.entries(countedTypes)
    .map(([type, [one, many]]) => {
      const count = types.filter((each) => each === type).length;
      return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
    })
    .filter((part) => part !== '')
    .join(', ');
}

const causeTitles: Record<Exclude<DigestCause, 'opened_together'>, string> = {
  reading_changed: 'how version strings are read has changed',
  silence_ended: 'still open after a silence',
};

function causeTitle({ cause, events }: DigestEventData): string {
  if (cause !== 'opened_together') return cause === null ? '' : causeTitles[cause];
  const severities = events.map((event) => ('alert' in event ? event.alert.severity : null));
  return alertSeverities
    .toReversed()
    .flatMap((severity) => {
      const count = severities.filter((each) => each === severity).length;
      return count === 0 ? [] : `${count} ${severity}`;
    })
    .join(', ');
}

function describeReport(
  report: FreshnessReportEventData['report'],
): Pick<EventMessage, 'title' | 'level' | 'facts' | 'links'> {
  const { month, things, libyears, libyears_before, target_count, targets_met } = report;
  const amount = withUnit('libyears', formatLibyears(libyears));
  const facts = factList([
    [
      'Previous month',
      libyears_before === null ? null : withUnit('libyears', formatLibyears(libyears_before)),
    ],
    ['Deployed', things === 1 ? '1 version' : `${things} versions`],
    ['Within target', percentText(report)],
    ['Targets met', target_count === 0 ? null : `${targets_met} of ${target_count}`],
    ['Furthest behind', report.furthest_behind?.replaceAll('\n', '; ') ?? null],
  ]);
  return {
    title: `Freshness in ${nameOf(monthName(month))}: ${amount} behind`,
    level: 'info',
    facts,
    links: linkList([['View report', report.url]]),
  };
}

function describeMove(
  release: ReleaseMovedEventData['release'],
  timezone: string,
): Pick<EventMessage, 'title' | 'level' | 'facts' | 'links'> {
  const { artifact_name, version, kind, other_count, place_count } = release;
  const what = kind === 'commit' ? 'Commit' : 'Digest';
  const facts = factList([
    [`${what} before`, release.from],
    [`${what} now`, release.to],
    ['Noticed', readableTime(release.noticed_at, timezone)],
    ['Deployed', listText(release.places, place_count) ?? 'Nothing monitored uses it'],
    ['Also changed', listText(release.others, other_count)],
  ]);
  return {
    title: `Published version changed: ${nameOf(artifact_name)} ${nameOf(version, 60)}`,
    level: 'high',
    facts,
    links: linkList([['View release', release.url]]),
  };
}

const changeTitles: Readonly<Record<DeploymentChange, string>> = {
  deployed: 'Deployed',
  upgraded: 'Upgraded',
  rolledback: 'Rolled back',
};

function describeDeployment(
  deployment: DeploymentEventData['deployment'],
  timezone: string,
): Pick<EventMessage, 'title' | 'level' | 'facts' | 'links'> {
  const facts = factList([
    ['Environment', deployment.environment],
    ['Previous version', deployment.previous_version],
    ['Artifact', deployment.artifact],
    ['Commit', deployment.commit],
    ['Time', readableTime(deployment.deployed_at, timezone)],
  ]);
  return {
    title: `${changeTitles[deployment.change]}: ${nameOf(deployment.service)} ${nameOf(deployment.version, 60)}`,
    level: 'info',
    facts,
    links: linkList([['View job', deployment.url]]),
  };
}

/** Joins the first lines of a list, such as `a; b; and 3 more`. */
function listText(lines: string | null, count: number): string | null {
  if (lines === null) return null;
  const shown = lines.split('\n');
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function percentText({
  within_percent: now,
  within_percent_before: before,
}: FreshnessReportEventData['report']): string | null {
  if (now === null) return null;
  return before === null ? `${now}%` : `${now}% (previous month: ${before}%)`;
}

type EventWithAlert = Extract<SingleEventData, { alert: AlertData }>;

function describeAlert(event: EventWithAlert): Pick<EventMessage, 'title' | 'level' | 'facts' | 'links'> {
  const { alert } = event;
  const isOver = event.event === 'alert.resolved';
  const resolution = isOver ? alert.resolution : null;
  const facts = factList([
    ['Severity', isOver ? null : alert.severity],
    ['Reason', resolution === null ? null : resolutionText(resolution, alert)],
    ['Deployed', isOver ? alert.resolved_version : alert.discovered_version],
    // Show the current version too, because the alert can be about an earlier version than the one that resolved it.
    [
      'Deployed when alerting',
      isOver && alert.resolved_version !== alert.discovered_version ? alert.discovered_version : null,
    ],
    ['Known exploited', isOver ? null : alert.known_exploited],
    ['Latest', alert.latest_version],
    ['Changes', changesText(alert)],
    ['Artifact', alert.artifact_name],
    ['Rule', alert.rule_name],
    ['File', alert.target_file],
    ['Repository', alert.repository_url],
    ['Labels', labelText(alert.labels)],
    ['By', event.actor.name],
  ]);
  const links = linkList([
    ['View alert', resolution === 'deleted' ? null : alert.url],
    ['Acknowledge', event.acknowledge_url],
    ['Release notes', alert.notes_url ?? alert.release_url],
  ]);
  const level = isStillBehind(alert) ? 'info' : 'good';
  return { title: alertTitle(event), level: isOver ? level : alert.severity, facts, links };
}

/** True if the alert ended because the comparison stopped, not because the lag was resolved. */
export function isStillBehind({ resolution }: AlertData): boolean {
  return (
    resolution === 'disabled' ||
    resolution === 'reconfigured' ||
    resolution === 'deleted' ||
    resolution === 'replaced'
  );
}

function resolutionText(
  resolution: NonNullable<AlertData['resolution']>,
  { discovered_version, resolved_version }: AlertData,
): string {
  switch (resolution) {
    case 'caught_up':
      return resolved_version !== null && resolved_version !== discovered_version
        ? 'Another version was deployed'
        : 'The deployed version is no longer too far behind';
    case 'manual':
      return 'Manually resolved';
    case 'disabled':
      return 'The rule or monitor was disabled';
    case 'gone':
      return 'The deployment was removed';
    case 'replaced':
      return 'Other software took the place of this deployment';
    case 'reconfigured':
      return 'The rule or monitor was reconfigured';
    case 'deleted':
      return 'The monitor was deleted';
  }
}

function alertTitle({ event, alert, actor }: EventWithAlert): string {
  const what = problemText(alert);
  const by = actor.name === null ? '' : ` by ${nameOf(actor.name, 60)}`;
  switch (event) {
    case 'alert.created':
      return `${capitalized(alert.severity)}: ${what}`;
    case 'alert.escalated': {
      // New vulnerabilities can cause an escalation to the same severity.
      if (alert.previous_severity === alert.severity) return `New (${alert.severity}): ${what}`;
      const before = alert.previous_severity === null ? '' : ` (was ${alert.previous_severity})`;
      return `Escalated to ${alert.severity}${before}: ${what}`;
    }
    case 'alert.reminder':
      return `Reminder (${alert.severity}): ${what}`;
    case 'alert.acknowledged':
      return `Acknowledged${by}: ${what}`;
    case 'alert.unacknowledged':
      return `Unacknowledged: ${what}`;
    case 'alert.resolved':
      return `${isStillBehind(alert) ? 'Closed' : 'Resolved'}${by}: ${nameOf(alert.config_name)}`;
    case 'channel.test':
      return `Test message, no action needed: ${what}`;
  }
}

/** Describes the problem, such as `payments-api is 99 days behind`. */
export function problemText(alert: AlertProblem & Pick<AlertData, 'config_name'>): string {
  const name = nameOf(alert.config_name);
  const version = nameOf(alert.discovered_version, 60);
  switch (alert.reason) {
    case 'version_not_found':
      return `${name} runs ${version}, which doesn't exist upstream`;
    case 'version_unparseable':
      return `${name} runs ${version}, which isn't a valid version`;
    case 'end_of_life':
      return `${name} (${version}) ${formatSupport(alert.days_left ?? null)}`;
    case 'known_vulnerabilities':
      return `${name} (${version}) has ${formatAmount(alert.behind_by ?? 1, alert.rule_type)}`;
    case 'fix_available':
      return `${name} (${version}) has a vulnerability with a fix${alert.behind_by === null ? '' : `, available for ${formatAmount(alert.behind_by, alert.rule_type)}`}`;
    case 'release_moved':
      return `${name} runs ${version}, which changed after it was published`;
    case 'upstream_silent':
      return alert.behind_by === null
        ? `${name} gets no new releases`
        : `${name} has had no new release for ${formatAmount(alert.behind_by, alert.rule_type)}`;
    case 'behind':
      return alert.behind_by === null
        ? `${name} is behind`
        : `${name} is ${formatLag(alert.behind_by, alert.rule_type)}`;
  }
}

/** Describes the version and its lag without the name, such as `1.25.3, 99 days behind`. */
export function versionAndLag(alert: AlertProblem): string {
  return `${nameOf(alert.discovered_version, 60)}, ${lagText(alert)}`;
}

type AlertProblem = Pick<
  AlertData,
  'reason' | 'discovered_version' | 'behind_by' | 'days_left' | 'rule_type'
>;

function lagText({ reason, behind_by, days_left, rule_type }: AlertProblem): string {
  switch (reason) {
    case 'version_not_found':
      return 'not found upstream';
    case 'release_moved':
      return 'changed after it was published';
    case 'version_unparseable':
      return 'not a valid version';
    case 'end_of_life':
      return days_left == null || days_left <= 0
        ? 'support has ended'
        : `${formatAmount(days_left, rule_type)} of support left`;
    case 'known_vulnerabilities':
      return formatAmount(behind_by ?? 1, rule_type);
    case 'fix_available':
      return behind_by === null ? 'fix available' : `fix available for ${formatAmount(behind_by, rule_type)}`;
    case 'upstream_silent':
      return behind_by === null ? 'no new releases' : formatLag(behind_by, rule_type);
    case 'behind':
      return behind_by === null ? 'behind' : formatLag(behind_by, rule_type);
  }
}

/** Summarizes the changes, such as `7 releases. Breaking: 2.0.0: The flag --old was removed`. */
function changesText({ release_count, breaking_changes }: AlertData): string | null {
  if (release_count === null || release_count === 0) return null;
  const count = release_count === 1 ? '1 release' : `${release_count} releases`;
  // The last line can be a remark in parentheses, which must not follow a semicolon.
  const changes = breaking_changes?.replaceAll('\n(', ' (').replaceAll('\n', '; ');
  return changes === undefined ? count : `${count}. Breaking: ${changes}`;
}

function labelText(labels: Readonly<Record<string, string>>): string | null {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${cleanLine(name, 60)}=${cleanLine(value, 60)}`,
  );
  return pairs.length === 0 ? null : pairs.join(', ');
}

function factList(rows: [label: string, value: string | null][]): EventMessage['facts'] {
  return rows.flatMap(([label, value]) => {
    const text = cleanLine(value ?? '', 500);
    return text === '' ? [] : [{ label, value: text }];
  });
}

function linkList(rows: [label: MessageLink['label'], url: string | null][]): MessageLink[] {
  return rows.flatMap(([label, url]) => {
    const safe = safeUrl(url);
    return safe === null ? [] : [{ label, url: safe }];
  });
}

const levels: readonly MessageLevel[] = ['good', 'info', 'moderate', 'high', 'critical'];

function worstLevel(items: readonly EventMessage[]): MessageLevel {
  const worst = Math.max(...items.map(({ level }) => levels.indexOf(level)), 0);
  return levels[worst] ?? 'info';
}

/** Replaces a name that has only invisible characters, so that it doesn't leave a gap in a sentence. */
function nameOf(text: string, limit = 200): string {
  return cleanLine(text, limit) || '(no name)';
}
