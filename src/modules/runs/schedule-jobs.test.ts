import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { attachWakeUps, transaction } from '../../platform/database/index.ts';
import { insertOrganization } from '../../server/server-fixture.ts';
import { jobKinds } from '../agents/index.ts';
import { nextRunOf } from './next-run.ts';
import { scheduleJobs } from './schedule-jobs.ts';

const { db } = await createTestDatabase();

test.each([
  [4_999, ['gather_jobs']],
  [5_000, []],
])(
  'scheduling a run that is due in %d ms wakes the topics %j, because only later runs can wait for the next poll',
  async (ms, expected) => {
    const organizationId = await insertOrganization(db);
    const job = { id: 1, cron_expression: '@daily', cron_timezone: 'UTC', is_active: true };
    const dueAt = nextRunOf(jobKinds.gather, job, new Date('2026-05-01T12:00:00Z'))!;
    const woken: string[] = [];
    onTestFinished(attachWakeUps(db, { wake: (topic) => void woken.push(topic), on: () => () => undefined }));
    await transaction(db, (tx) =>
      scheduleJobs(tx, jobKinds.gather, organizationId, [job], new Date(dueAt.getTime() - ms)),
    );
    expect(woken).toEqual(expected);
  },
);
