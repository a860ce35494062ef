import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { HousekeepingTask } from './housekeeping.ts';
import { readTaskState, writeTaskState } from './housekeeping-state.ts';
import { recoverDueWorkAcrossOrganizations } from './recover-from-clock-jump.ts';

/** Where the clock was last seen, and where it was when it had moved by more than time does; RFC 3339. */
interface ClockState {
  seenAt?: string;
  jumpedAt?: string;
}

const name = 'watch-clock';
const jumpMs = 3_600_000;
/** Less is made up for by waiting. */
const setBackMs = 60_000;

/**
 * Notices that the clock was set to another time, or that nobody looked for long. Much then seems old that is not: what
 * deletes or tells of what is old waits until the clock has been steady for a while. What the former clock has planned
 * goes on from now when it was set back.
 */
export const watchClock: HousekeepingTask = {
  name,
  everySeconds: 60,
  async run(tx) {
    const now = await readNow(tx);
    const { seenAt, jumpedAt } = await readTaskState<ClockState>(tx, name);
    const hasJumped = seenAt !== undefined && distanceMs(now, seenAt) > jumpMs;
    const backMs = seenAt === undefined ? 0 : Date.parse(seenAt) - now.getTime();
    if (backMs > setBackMs) await recoverDueWorkAcrossOrganizations(tx, backMs);
    const jumped = hasJumped ? now.toISOString() : jumpedAt;
    await writeTaskState(tx, name, {
      seenAt: now.toISOString(),
      ...(jumped !== undefined && { jumpedAt: jumped }),
    });
    return 'done';
  },
};

/** For how long the clock has gone on as clocks do, in ms; infinite when it always has. */
async function steadyForMs(tx: Tx): Promise<number> {
  const now = await readNow(tx);
  const { seenAt, jumpedAt } = await readTaskState<ClockState>(tx, name);
  // It has moved, and `watchClock` is not there yet to say so.
  if (seenAt !== undefined && distanceMs(now, seenAt) > jumpMs) return 0;
  return jumpedAt === undefined ? Number.POSITIVE_INFINITY : distanceMs(now, jumpedAt);
}

/** A task that waits until the clock has been steady for so long. */
export function afterClockStable(forSeconds: number, task: HousekeepingTask): HousekeepingTask {
  return {
    ...task,
    run: async (tx) => ((await steadyForMs(tx)) < forSeconds * 1_000 ? 'done' : task.run(tx)),
  };
}

function distanceMs(now: Date, other: string): number {
  return Math.abs(now.getTime() - Date.parse(other));
}

async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(tx);
  return rows[0]!.now;
}
