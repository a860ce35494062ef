import { describeReferenceAge, referenceLabels } from '../../domain/rules/reference-age.ts';
import { type Check, duration, failedCheck, listSome, ok, warn } from './check.ts';
import type { AgentSeen, ChannelState, ReferenceSeen } from './doctor-queries.ts';

/** Time without a heartbeat after which an agent is offline. */
const offlineAfterSeconds = 60;
/** Age at which work is overdue. Loops check for due work every five seconds. */
const overdueSeconds = 60;
const stuckSeconds = 600;

export function checkServers(count: number): Check {
  if (count === 0) return warn('servers', 'No server is running.', 'Start it: pacekeeper serve.');
  return ok('servers', count === 1 ? '1 server is running.' : `${count} servers are running.`);
}

export function judgeAgents(agents: readonly AgentSeen[], servers: number): Check {
  const name = 'agents';
  const online = agents.filter(({ silentSeconds }) => silentSeconds <= offlineAfterSeconds);
  // Ignore embedded agents, because they start and stop with their servers.
  const silent = agents.filter((agent) => !online.includes(agent) && agent.kind === 'remote');
  const last = agents[0];
  const lastHeartbeat = last
    ? `the last heartbeat was ${duration(last.silentSeconds)} ago`
    : 'no heartbeat received yet';
  if (online.length === 0) {
    const message = `No agent is online (${lastHeartbeat}). No releases or versions are collected.`;
    return servers === 0
      ? warn(name, message, 'Start the server, or an agent: pacekeeper agent.')
      : failedCheck(name, message, 'Start one (pacekeeper agent), or set PACEKEEPER_EMBEDDED_AGENT to true.');
  }
  if (silent.length > 0) {
    const names = silent.map((agent) => `${agent.name} (${duration(agent.silentSeconds)})`);
    return warn(
      name,
      `${online.length} of ${online.length + silent.length} online. Offline: ${listSome(names)}.`,
      'Restart the offline agents. Agents that have been offline for two weeks are removed automatically.',
    );
  }
  return ok(name, `${online.length} online; ${lastHeartbeat}.`);
}

export function judgeQueues(queues: readonly { kind: string; ageSeconds: number }[], servers: number): Check {
  const name = 'queues';
  const late = queues.filter(({ ageSeconds }) => ageSeconds > overdueSeconds);
  if (late.length === 0) return ok(name, 'No overdue work.');
  const message = `Overdue work: ${listSome(late.map(({ kind, ageSeconds }) => `${kind} for ${duration(ageSeconds)}`))}.`;
  if (servers === 0) return warn(name, message, 'Start a server to process it.');
  const isStuck = late.some(({ ageSeconds }) => ageSeconds > stuckSeconds);
  return (isStuck ? failedCheck : warn)(
    name,
    message,
    'Check the server log for errors. If runs are waiting for agents, no online agent has the required credential; ' +
      'otherwise, the machine or the database is overloaded.',
  );
}

export function judgeDeadLetters(letters: readonly { channel: string; count: number }[]): Check {
  const count = letters.reduce((sum, letter) => sum + letter.count, 0);
  if (count === 0) return ok('dead_letters', 'No dead letters in the last 24 hours.');
  return warn(
    'dead_letters',
    `${count} dead letters in the last 24 hours: ${listSome(letters.map((each) => `${each.channel} (${each.count})`))}.`,
    'Fix the channel, then retry the deliveries.',
  );
}

export function judgeChannels(channels: readonly ChannelState[]): Check {
  const failing = channels.filter(({ isActive, failures }) => isActive && failures > 0);
  const turnedOff = channels.filter(({ isActive }) => !isActive);
  if (failing.length === 0 && turnedOff.length === 0)
    return ok(
      'channels',
      channels.length === 0 ? 'No channels.' : `All ${channels.length} channels are healthy.`,
    );
  const sentences = [
    failing.length > 0 &&
      `Failing: ${listSome(failing.map(({ name, failures }) => `${name} (${failures} times in a row)`))}.`,
    turnedOff.length > 0 &&
      `Disabled: ${listSome(turnedOff.map(({ name, inactiveReason }) => `${name} (${inactiveReason})`))}.`,
  ];
  return warn(
    'channels',
    sentences.filter((sentence) => sentence !== false).join(' '),
    'Check their deliveries, send a test, and enable disabled channels.',
  );
}

export function checkReferenceData(sources: readonly ReferenceSeen[]): Check {
  const name = 'reference_data';
  const used = sources.filter(({ isUsed }) => isUsed);
  if (used.length === 0) return ok(name, 'No enabled rule uses reference data.');
  const toDay = (at: Date) => at.toISOString().slice(0, 10);
  const problems = used.flatMap((source) => problemsOf(source, toDay));
  if (problems.length > 0)
    return warn(
      name,
      problems.map(({ sentence }) => sentence).join(' '),
      [...new Set(problems.map(({ remedy }) => remedy))].join(' '),
    );
  const ages = used.map(({ name: source, asOf, now }) => {
    const seconds = Math.max(0, now.getTime() - asOf!.getTime()) / 1_000;
    return `The data from ${referenceLabels[source]} is from ${toDay(asOf!)} (${duration(seconds)} old).`;
  });
  return ok(name, [...ages, ...used.flatMap(skippedIn)].join(' '));
}

/**
 * Describes the packages that the last fetch skipped. Skipped packages aren't a problem with the
 * installation, and can be permanent.
 */
function skippedIn({ name, skipped }: ReferenceSeen): string[] {
  if (skipped === null) return [];
  const { count, example, warnings } = skipped;
  const isOne = count === 1;
  const such = example === null ? '' : `${isOne ? ':' : ', such as'} ${example.name} (${example.reason})`;
  return [
    ...(count === 0
      ? []
      : [
          `The last fetch from ${referenceLabels[name]} skipped ${isOne ? '1 package' : `${count} packages`}${such}. ${isOne ? 'Its' : 'Their'} stored data is kept.`,
        ]),
    ...warnings,
  ];
}

function problemsOf(
  source: ReferenceSeen,
  toDay: (at: Date) => string,
): { sentence: string; remedy: string }[] {
  const label = referenceLabels[source.name];
  const { waiting, fetchError } = source;
  const problems: { sentence: string; remedy: string }[] = [];
  if (waiting !== null)
    problems.push({
      sentence:
        waiting.organizations === 0
          ? `Newer data from ${label} lacks or adds many entries, so it waits for confirmation.`
          : `Newer data from ${label} would change ${waiting.changed} results of ${waiting.organizations === 1 ? '1 organization' : `${waiting.organizations} organizations`}, so it waits for confirmation.`,
      remedy: `Check that the changes are plausible, then run pacekeeper admin confirm-reference ${source.name}.`,
    });
  if (fetchError !== null)
    problems.push({
      sentence: `The data from ${label} wasn't fetched: ${fetchError}`,
      remedy: `Check ${variables[source.name]} and the agent's network access.`,
    });
  const age = describeReferenceAge(label, source.asOf?.getTime() ?? null, source.now.getTime(), {
    configs: 'alert configurations',
    formatDay: toDay,
  });
  if (age !== null)
    problems.push({
      sentence: age,
      remedy: source.isFetched
        ? 'An agent fetches it once a day: check that one is online.'
        : ageRemedies[source.name],
    });
  return problems;
}

const variables: Readonly<Record<ReferenceSeen['name'], string>> = {
  vulnerabilities: 'PACEKEEPER_OSV_URL',
  end_of_life: 'PACEKEEPER_END_OF_LIFE_URL',
  known_exploited: 'PACEKEEPER_KNOWN_EXPLOITED_URL',
  epss: 'PACEKEEPER_EPSS_URL',
};

const ageRemedies: Readonly<Record<ReferenceSeen['name'], string>> = {
  vulnerabilities:
    'Remove PACEKEEPER_REFERENCE_DATA=off so that an agent fetches it, or download https://osv-vulnerabilities.storage.googleapis.com/ECOSYSTEM/all.zip and load it: pacekeeper admin load-reference vulnerabilities FILE.',
  end_of_life:
    'Remove PACEKEEPER_REFERENCE_DATA=off so that an agent fetches it, or download https://endoflife.date/api/v1/products/full and load it: pacekeeper admin load-reference end_of_life FILE.',
  known_exploited:
    'Remove PACEKEEPER_REFERENCE_DATA=off so that an agent fetches it, or download https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json and load it: pacekeeper admin load-reference known_exploited FILE.',
  epss: 'Remove PACEKEEPER_REFERENCE_DATA=off so that an agent fetches it, or download https://epss.empiricalsecurity.com/epss_scores-current.csv.gz and load it: pacekeeper admin load-reference epss FILE.',
};
