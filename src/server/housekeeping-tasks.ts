import { takeBackLostRunsAcrossOrganizations } from '../modules/runs/index.ts';
import { readSettings } from '../modules/settings/index.ts';
import type { HousekeepingTask } from './housekeeping.ts';
import type { ServerParts } from './server-parts.ts';

export function housekeepingTasks({ wakeUps }: Pick<ServerParts, 'wakeUps'>): HousekeepingTask[] {
  return [
    {
      name: 'take-back-lost-runs',
      everySeconds: 5,
      async run(tx) {
        const { 'task.max_attempts': maxAttempts } = await readSettings(tx, 1);
        const { taken } = await takeBackLostRunsAcrossOrganizations(tx, maxAttempts);
        if (taken > 0) wakeUps.wakeAfterCommit(tx, 'runs');
        return taken === 500 ? 'more' : 'done';
      },
    },
  ];
}
