import { expect, test } from 'vitest';
import type { Section } from '../../domain/configuration/kinds.ts';
import { arrangeSteps, type Batch } from './arrange-steps.ts';
import type { PlannedStep, StepWork } from './planned-steps.ts';

const step = (work: object): PlannedStep =>
  ({ work: work as StepWork }) as Partial<PlannedStep> as PlannedStep;
const create = (section: Section, fields: object = {}) =>
  step({ action: 'create', section, body: {}, references: {}, isLate: false, ...fields });
const update = (section: Section, id: number) => step({ action: 'update', section, id });

/** Returns what each batch does, without locks. */
function arranged(...steps: PlannedStep[]): string[] {
  return arrangeSteps(steps).flatMap((batch) => (batch.action === 'lock' ? [] : describe(batch)));
}

function describe(batch: Batch): string {
  const section =
    'section' in batch
      ? batch.section
      : 'step' in batch && 'section' in batch.step.work
        ? batch.step.work.section
        : '';
  const count = 'steps' in batch ? ` ${batch.steps.length}` : '';
  return `${batch.action} ${section}${count}`.replace('  ', ' ').trim();
}

test('resources are created before those that refer to them, and a gather job that follows a scrape job after it', () => {
  expect(
    arranged(
      create('alert_configs'),
      create('gather_jobs', { references: { scrape_job_id: 'scrape_jobs/0' } }),
      create('gather_jobs'),
      create('scrape_jobs'),
      create('rules'),
    ),
  ).toEqual([
    'create rules 1',
    'create gather_jobs 1',
    'create scrape_jobs 1',
    'create gather_jobs 1',
    'create alert_configs 1',
  ]);
});

test('jobs of a section are created in the order of the file, and jobs that feed them run again once if they exist', () => {
  const fed = (sync: number | string) => step({ action: 'create-fed', sync });
  expect(
    arranged(create('gather_jobs'), fed(7), fed(7), fed('helm_sync_jobs/0'), create('gather_jobs')),
  ).toEqual(['create gather_jobs 1', 'create-fed 3', 'create gather_jobs 1', 'read-again helm_sync_jobs']);
});

test('updates follow the order of locks, and deletions come before resources whose number is limited', () => {
  const steps = [
    create('artifact_aliases'),
    step({ action: 'delete', section: 'rules', id: 1 }),
    update('alert_configs', 5),
    update('gather_jobs', 6),
    step({ action: 'set', key: 'a' }),
    step({ action: 'set-version', scrapeJob: 1 }),
  ];
  expect(arranged(...steps)).toEqual([
    'update gather_jobs',
    'update alert_configs',
    'set',
    'set-version 1',
    'delete rules',
    'create artifact_aliases 1',
  ]);
  const actions = arrangeSteps(steps).map(({ action }) => action);
  expect(actions.lastIndexOf('lock')).toBeLessThan(actions.indexOf('update'));
});

test('an alert configuration that is created late comes after the updates, and so do all notification rules', () => {
  expect(
    arranged(
      create('alert_configs', { isLate: true }),
      create('alert_configs'),
      create('notification_rules'),
      update('alert_configs', 5),
    ),
  ).toEqual([
    'create alert_configs 1',
    'update alert_configs',
    'create alert_configs 1',
    'create notification_rules 1',
  ]);
});

test('one batch creates at most 500 resources', () => {
  expect(arranged(...Array.from({ length: 1_001 }, () => create('rules')))).toEqual([
    'create rules 500',
    'create rules 500',
    'create rules 1',
  ]);
});
