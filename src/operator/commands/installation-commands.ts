import { listFeedbackAcrossOrganizations } from '../../modules/accounts/index.ts';
import { setGlobalSetting } from '../../modules/settings/index.ts';
import { createSandbox } from '../../platform/sandbox/index.ts';
import { type OperatorCommand, UsageError } from './operator-command.ts';

const setSettingCommand: OperatorCommand = {
  name: 'admin set-setting',
  synopsis: 'KEY JSON',
  summary: 'Set the global value of a setting',
  help: `
Applies to every organization without an override. Pass the value as JSON: 30, true, null, [1,2,3], or
"text" (with the quotes). Pass \`default\` to reset the setting to its built-in default.`,
  positionals: ['KEY', 'JSON'],
  options: {},
  async run({ args, open, print }) {
    const [key, json] = args as [string, string];
    const value = json === 'default' ? undefined : parseJson(json);
    const { db } = await open();
    const sandbox = createSandbox({ workers: 1, deadlineMs: 2_000, maxHeapMb: 128 });
    try {
      await setGlobalSetting({ db, sandbox }, key, value);
    } finally {
      await sandbox.close();
    }
    print(
      value === undefined
        ? `${key} reset to its built-in default.`
        : `${key} set to ${JSON.stringify(value)}.`,
    );
  },
};

const feedbackCommand: OperatorCommand = {
  name: 'admin feedback',
  synopsis: '[--limit N]',
  summary: 'Show user feedback, newest first',
  help: `
  --limit N  Maximum number of entries (default: 100)

Prints one JSON object per line.`,
  positionals: [],
  options: { limit: { type: 'string' } },
  async run({ option, open, print }) {
    const limit = option('limit') ?? '100';
    if (!/^[1-9][0-9]{0,5}$/.test(limit))
      throw new UsageError('--limit must be a whole number from 1 to 999999.');
    const { db } = await open();
    for (const row of await listFeedbackAcrossOrganizations(db, Number(limit))) print(JSON.stringify(row));
  },
};

export const installationCommands = [setSettingCommand, feedbackCommand];

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${JSON.stringify(text)} isn't valid JSON. Strings need quotes.`);
  }
}
