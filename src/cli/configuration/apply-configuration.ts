import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, type ApiClient } from '../../client/api-client.ts';
import type { Place } from '../../domain/configuration/configuration-entries.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { isItem } from '../call-operation.ts';
import { CliError, describeError, exitCodeOf, usageError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { withSeparators } from '../output/counted.ts';
import type { ConfigurationFile } from './read-configuration.ts';

export interface PlanParameters {
  prune: boolean;
  update_secrets: boolean;
}

type Plan = Schemas['ConfigurationPlan'];
type Apply = Schemas['ConfigurationApply'];

/** Large configurations take a while. */
const timeoutMs = 300_000;

/** Requests a plan. Problems in the file become one error that lists every location. */
export async function planOnServer(
  api: ApiClient,
  file: ConfigurationFile,
  parameters: PlanParameters,
): Promise<Plan> {
  const body = file.document as Schemas['ConfigurationDocument'];
  return api
    .call('planConfiguration', { query: parameters, body, timeoutMs })
    .catch((error: unknown) => throwExplained(error, file));
}

/** Applies a plan on the server and waits for the result. Shows the progress on a terminal. */
export async function applyOnServer(
  api: ApiClient,
  file: ConfigurationFile,
  parameters: PlanParameters,
  { fingerprint }: Plan,
  io: Pick<CliIo, 'stderr' | 'isErrorTerminal'>,
): Promise<Apply> {
  const query = { ...parameters, fingerprint };
  const body = file.document as Schemas['ConfigurationDocument'];
  let apply = await api
    .call('applyConfiguration', { query, body, timeoutMs })
    .catch(async (error: unknown) => {
      // The response to the first attempt was lost.
      const running = await findRunning(api, error);
      if (running?.fingerprint === fingerprint) return running;
      return throwExplained(error, file);
    });
  for (let pauseMs = 50; apply.status === 'in_progress'; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    await sleep(pauseMs);
    apply = await api.call('getConfigurationApply', { path: { id: apply.id } });
    if (io.isErrorTerminal)
      io.stderr(
        `\r\u001B[KApplying: ${withSeparators(apply.steps_done)} of ${withSeparators(apply.steps_total)} changes`,
      );
  }
  if (io.isErrorTerminal) io.stderr('\r\u001B[K');
  if (apply.error !== null) {
    const { section, index, message, code } = apply.error;
    const reason = `${cleanLine(file.hideSecrets(message), 2_000)} (${code}, apply ${apply.id})`;
    const place = section === null ? null : cleanLine(file.describePlace({ section, index }), 500);
    throw new CliError(`No changes made. ${place === null ? reason : `${place}: ${reason}`}`);
  }
  return apply;
}

async function findRunning(api: ApiClient, error: unknown): Promise<Apply | null> {
  if (!(error instanceof ApiCallError) || error.status !== 409) return null;
  const id = isItem(error.body) ? error.body['configuration_apply_id'] : undefined;
  return typeof id === 'number' ? api.call('getConfigurationApply', { path: { id } }) : null;
}

function throwExplained(error: unknown, file: ConfigurationFile): never {
  if (!(error instanceof ApiCallError)) throw error;
  if (error.code !== 'validation_failed' || error.errors.length === 0)
    throw new CliError(describeError(error, file.hideSecrets), exitCodeOf(error));
  const problems = error.errors.map(({ field, message }) => describeProblem(file, field, message));
  throw usageError(
    `No changes made. The configuration can't be applied:\n${[...new Set(problems)].join('\n')}`,
  );
}

/** `rules.3.thresholds` → `rules "Majors" (line 12): thresholds must be an object` */
function describeProblem(file: ConfigurationFile, field: string, message: string): string {
  const [section = '', index = '', ...rest] = field.split('.');
  const isEntry = /^\d+$/.test(index);
  // Quoted text from the server isn't a location in the file.
  const place: Place | null = isSection(file, section)
    ? { section, index: isEntry ? Number(index) : null }
    : null;
  const path = place === null ? field : (isEntry ? rest : [index, ...rest]).filter(Boolean).join('.');
  const what = [path, message].filter((part) => part !== '').map((part) => file.hideSecrets(part));
  const parts = place === null ? what : [file.describePlace(place), ...what];
  return `  ${parts.map((part) => cleanLine(part, 1_000)).join(': ')}`;
}

function isSection({ document }: ConfigurationFile, name: string): name is Place['section'] {
  return Object.hasOwn(document, name);
}
