import { ConfigError, readConfig } from '../../platform/config.ts';
import type { Check } from '../doctor/check.ts';
import { invalidConfiguration, runChecks } from '../doctor/examine.ts';
import { type CommandOutput, type OperatorCommand, runOperatorCommand } from './operator-command.ts';

/** Definition of the `doctor` command without its `run` function. */
export const doctor: Omit<OperatorCommand, 'run'> = {
  name: 'doctor',
  synopsis: '[--json]',
  summary: 'Check the installation and suggest fixes',
  help: `
  --json  {"status", "checks": [{"name", "status", "message", "remedy"}]}, for scripts

Run it with the server's environment variables; the server can be running or stopped. Checks the configuration, data
directory, database, clock, secret key, network, agents, overdue work, and channels. Changes nothing and sends no
requests outside the installation. Exits with code 1 if a check fails; warnings don't change the exit code.`,
  positionals: [],
  options: { json: { type: 'boolean' } },
};

/**
 * Runs `pacekeeper doctor`.
 *
 * @returns The exit code: 1 if a check failed.
 */
export async function runDoctorCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  const problems = configProblems(env);
  let hasFailed = false;
  const command: OperatorCommand = {
    ...doctor,
    async run({ config, log, isSet, print }) {
      const checks = problems ? invalidConfiguration(problems) : await runChecks(config, log);
      hasFailed = checks.some(({ status }) => status === 'fail');
      const text = isSet('json') ? JSON.stringify({ status: worst(checks), checks }, null, 2) : table(checks);
      print(text);
    },
  };
  // If the configuration is invalid, the command only prints the problems of the configuration. In that case, pass no
  // environment, because parsing it would fail.
  const code = await runOperatorCommand(command, argv, problems ? {} : env, output);
  return code === 0 && hasFailed ? 1 : code;
}

function configProblems(env: NodeJS.ProcessEnv): readonly string[] | null {
  try {
    readConfig(env);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function worst(checks: readonly Check[]): Check['status'] {
  const statuses = checks.map(({ status }) => status);
  return statuses.includes('fail') ? 'fail' : statuses.includes('warn') ? 'warn' : 'ok';
}

function table(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, message, remedy }) => [
    `${status.padEnd(4)}  ${name.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 6)}  → ${remedy}`]),
  ]);
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const warnings = count('warn') === 1 ? '1 warning' : `${count('warn')} warnings`;
  return [...lines, '', `${count('ok')} passed, ${warnings}, ${count('fail')} failed.`].join('\n');
}
