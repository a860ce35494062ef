import { type Check, duration, fail, listSome, ok, warn } from './check.ts';
import type { AgentSeen, ChannelSeen } from './doctor-queries.ts';

/** An agent that was silent for so long is offline. */
const offlineAfterSeconds = 60;
/** Loops look every five seconds. */
const lateSeconds = 60;
const stuckSeconds = 600;

export function judgeServers(count: number): Check {
  if (count === 0) return warn('servers', 'No server is running.', 'Start it: pacekeeper serve.');
  return ok('servers', count === 1 ? '1 server is running.' : `${count} servers are running.`);
}

export function judgeAgents(agents: readonly AgentSeen[], servers: number): Check {
  const name = 'agents';
  const online = agents.filter(({ silentSeconds }) => silentSeconds <= offlineAfterSeconds);
  // The embedded ones come and go with their servers.
  const silent = agents.filter((agent) => !online.includes(agent) && agent.kind === 'remote');
  const last = agents[0];
  const lastHeard = last
    ? `the last heartbeat was ${duration(last.silentSeconds)} ago`
    : 'no heartbeat received yet';
  if (online.length === 0) {
    const message = `No agent is online (${lastHeard}). No releases or versions are collected.`;
    return servers === 0
      ? warn(name, message, 'Start the server, or an agent: pacekeeper agent.')
      : fail(name, message, 'Start one (pacekeeper agent), or set PACEKEEPER_EMBEDDED_AGENT to true.');
  }
  if (silent.length > 0) {
    const names = silent.map((agent) => `${agent.name} (${duration(agent.silentSeconds)})`);
    return warn(
      name,
      `${online.length} of ${online.length + silent.length} online. Offline: ${listSome(names)}.`,
      'Restart the offline agents, or delete the ones you no longer use.',
    );
  }
  return ok(name, `${online.length} online; ${lastHeard}.`);
}

export function judgeQueues(queues: readonly { kind: string; ageSeconds: number }[], servers: number): Check {
  const name = 'queues';
  const late = queues.filter(({ ageSeconds }) => ageSeconds > lateSeconds);
  if (late.length === 0) return ok(name, 'No overdue work.');
  const message = `Overdue work: ${listSome(late.map(({ kind, ageSeconds }) => `${kind} for ${duration(ageSeconds)}`))}.`;
  if (servers === 0) return warn(name, message, 'Start a server to process it.');
  const isStuck = late.some(({ ageSeconds }) => ageSeconds > stuckSeconds);
  return (isStuck ? fail : warn)(
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

export function judgeChannels(channels: readonly ChannelSeen[]): Check {
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
