import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, type ApiClient } from '../../client/api-client.ts';
import type { Path } from '../../domain/configuration/check-document.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { isItem } from '../call-operation.ts';
import { CliError, describeError, exitCodeOf } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { counted, withSeparators } from '../output/counted.ts';
import { type FileProblem, problemsError } from './file-problems.ts';
import { type ConfigurationFile, describeRemark } from './read-configuration.ts';

export interface PlanParameters {
  prune: boolean;
  update_secrets: boolean;
}

type Plan = Schemas['ConfigurationPlan'];
type Apply = Schemas['ConfigurationApply'];

/** Timeout for planning and applying. Large configurations can take several minutes. */
const timeoutMs = 300_000;

/** Requests a plan. Problems in the file are reported in one error that lists every location. */
export function planOnServer(
  api: ApiClient,
  file: ConfigurationFile,
  parameters: PlanParameters,
): Promise<Plan> {
  return requestPlan(api, file, parameters).catch((error: unknown) => throwWithProblems(error, file));
}

/** Requests a plan for a file that can have problems. Throws the server's error unchanged. */
export function requestPlan(
  api: ApiClient,
  file: ConfigurationFile,
  parameters: PlanParameters,
): Promise<Plan> {
  const body = file.document as Schemas['ConfigurationDocument'];
  return api.call('planConfiguration', { query: parameters, body, timeoutMs });
}

/** Applies a plan on the server and waits for the result. Shows the progress on a terminal. */
export async function applyOnServer(
  api: ApiClient,
  file: ConfigurationFile,
  parameters: PlanParameters,
  { fingerprint }: Plan,
  io: Pick<CliIo, 'stderr' | 'isErrorTerminal'>,
): Promise<Apply> {
  if (io.isErrorTerminal) io.stderr('Applying. The server continues even if you interrupt this command.\n');
  const query = { ...parameters, fingerprint };
  const body = file.document as Schemas['ConfigurationDocument'];
  let apply = await api
    .call('applyConfiguration', { query, body, timeoutMs })
    .catch(async (error: unknown) => {
      const running = await findRunning(api, error);
      if (running?.fingerprint !== fingerprint) return throwWithProblems(error, file);
      io.stderr(`Note: the same changes are already being applied (apply ${running.id}).\n`);
      return running;
    });
  for (let pauseMs = 50; apply.status === 'in_progress'; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    await sleep(pauseMs);
    apply = await api.call('getConfigurationApply', { path: { id: apply.id } });
    if (io.isErrorTerminal)
      io.stderr(
        `\r\u001B[KApplied ${withSeparators(apply.steps_done)} of ${counted(apply.steps_total, 'change')}`,
      );
  }
  if (io.isErrorTerminal) io.stderr('\r\u001B[K');
  if (apply.error !== null) {
    const { section, index, message, code } = apply.error;
    const reason = `${cleanLine(file.hideSecrets(message), 2_000)} (${code}, apply ${apply.id})`;
    if (section === null) throw new CliError(`No changes made. ${reason}`);
    const place = describeRemark(file, { section, index, message: '' });
    throw new CliError(`No changes made. The server rejected this:\n  ${place}: ${reason}`);
  }
  return apply;
}

async function findRunning(api: ApiClient, error: unknown): Promise<Apply | null> {
  if (!(error instanceof ApiCallError) || error.status !== 409) return null;
  const id = isItem(error.body) ? error.body['configuration_apply_id'] : undefined;
  return typeof id === 'number' ? api.call('getConfigurationApply', { path: { id } }) : null;
}

function throwWithProblems(error: unknown, file: ConfigurationFile): never {
  if (!(error instanceof ApiCallError)) throw error;
  const problems = problemsOf(error, file);
  if (problems.length === 0) throw new CliError(describeError(error, file.hideSecrets), exitCodeOf(error));
  throw problemsError(file.fileNames, problems);
}

/**
 * Throws an error with all problems of the file: those that were found locally, and any further problems that
 * the server finds.
 *
 * @param plan Requests a plan for the file from the server.
 */
export async function rejectFile(file: ConfigurationFile, plan: () => Promise<unknown>): Promise<never> {
  const more = await plan().then(
    () => ({ problems: [], note: null }),
    (error: unknown) => {
      const problems = error instanceof ApiCallError ? problemsOf(error, file) : [];
      const isInvalid = error instanceof ApiCallError && error.code === 'validation_failed';
      const reason = `The server didn't check the file: ${describeError(error, file.hideSecrets)}`;
      return { problems, note: isInvalid ? null : reason };
    },
  );
  throw problemsError(file.fileNames, [...file.problems, ...more.problems], more.note);
}

/**
 * Returns the problems that the server found. Excludes consequences of problems that are already reported.
 */
function problemsOf({ code, errors }: ApiCallError, file: ConfigurationFile): FileProblem[] {
  if (code !== 'validation_failed') return [];
  return errors.flatMap(({ field, message }) => {
    const path = pathOfField(file, field);
    if (path.length > 0 && file.isSettled(path)) return [];
    const problem = file.locate(path, path.length > 0 || field === 'body' ? message : `${field}: ${message}`);
    return { ...problem, text: file.hideSecrets(problem.text) };
  });
}

/**
 * Converts a field to its path: `rules.3.thresholds` becomes `['rules', 3, 'thresholds']`. The key of a
 * setting contains dots, so it isn't split. The path is empty if the field isn't in the file.
 */
function pathOfField({ document }: ConfigurationFile, field: string): Path {
  const [section = '', ...rest] = field.split('.');
  const values = document[section];
  if (Array.isArray(values))
    return [section, ...rest.map((step, index) => (index === 0 && /^\d+$/.test(step) ? Number(step) : step))];
  if (!isItem(values)) return [];
  const keys = rest.map((_, index) => rest.slice(0, index + 1).join('.'));
  const key = keys.findLast((each) => Object.hasOwn(values, each));
  return key === undefined ? [section] : [section, key, ...rest.slice(key.split('.').length)];
}
