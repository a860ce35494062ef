import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { HousekeepingTask } from './housekeeping.ts';
import { readTaskState, writeTaskState } from './housekeeping-state.ts';
import { recoverDueWorkAcrossOrganizations } from './recover-from-clock-jump.ts';

/** Time of the last check, and time directly after the last jump of the clock, in RFC 3339 format. */
interface ClockState {
  seenAt?: string;
  jumpedAt?: string;
}

const name = 'watch-clock';
const jumpMs = 3_600_000;
/** Minimum backward change of the clock that requires a recovery. A smaller change only delays work. */
const minSetbackMs = 60_000;

/**
 * Detects that the clock was changed or that no server checked it for a long time. Recent rows can then seem
 * old, so tasks that delete or report old rows wait until the clock has been stable for a while. If the clock
 * was set back, due times that depend on the old clock are moved back too.
 */
export const clockWatchTask: HousekeepingTask = {
  name,
  everySeconds: 60,
  async run(tx) {
    const now = await readNow(tx);
    const { seenAt, jumpedAt } = await readTaskState<ClockState>(tx, name);
    const hasJumped = seenAt !== undefined && differenceMs(now, seenAt) > jumpMs;
    const backMs = seenAt === undefined ? 0 : Date.parse(seenAt) - now.getTime();
    if (backMs > minSetbackMs) await recoverDueWorkAcrossOrganizations(tx, backMs);
    const jumped = hasJumped ? now.toISOString() : jumpedAt;
    await writeTaskState(tx, name, {
      seenAt: now.toISOString(),
      ...(jumped !== undefined && { jumpedAt: jumped }),
    });
    return 'done';
  },
};

/** Returns the time since the last jump of the clock, in ms, or infinity if it never jumped. */
async function stableForMs(tx: Tx): Promise<number> {
  const now = await readNow(tx);
  const { seenAt, jumpedAt } = await readTaskState<ClockState>(tx, name);
  // The clock has jumped, but `clockWatchTask` hasn't recorded the jump yet.
  if (seenAt !== undefined && differenceMs(now, seenAt) > jumpMs) return 0;
  return jumpedAt === undefined ? Number.POSITIVE_INFINITY : differenceMs(now, jumpedAt);
}

/** Returns a task that runs only after the clock has been stable for `forSeconds`. */
export function afterClockStable(forSeconds: number, task: HousekeepingTask): HousekeepingTask {
  return {
    ...task,
    run: async (tx) => ((await stableForMs(tx)) < forSeconds * 1_000 ? 'done' : task.run(tx)),
  };
}

function differenceMs(now: Date, other: string): number {
  return Math.abs(now.getTime() - Date.parse(other));
}

async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(tx);
  return rows[0]!.now;
}
