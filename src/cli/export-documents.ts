import type { OperationId } from '../generated/operations.ts';
import { addConnectionOptions, type CliCommand, labelOption } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';
import { writeOutputFile } from './write-output-file.ts';

interface ExportOptions extends ConnectionOptions {
  output?: string;
  yes?: boolean;
  label?: string;
}

/** Time limit of an export. A document can have 10,000 entries. */
const timeoutMs = 60_000;

/** `bom`: writes all deployed software as a CycloneDX document. */
export const bomCommand = exportCommandOf(
  'exportSoftwareBom',
  'Only scrape jobs with this label',
  () => null,
);

/** `vex`: writes the ignored vulnerabilities as an OpenVEX document. */
export const vexCommand = exportCommandOf(
  'exportIgnoredVulnerabilities',
  'Only alert configurations with this label',
  ({ statements }) =>
    (statements as unknown[]).length === 0
      ? "Note: No vulnerability is ignored. OpenVEX requires at least one statement, so the document isn't valid.\n"
      : null,
);

/** @param noteOf Returns a note about a document, or null. */
function exportCommandOf(
  operationId: OperationId & ('exportSoftwareBom' | 'exportIgnoredVulnerabilities'),
  labelHelp: string,
  noteOf: (document: Record<string, unknown>) => string | null,
): CliCommand {
  return (command, { io, connect }) => {
    addConnectionOptions(command)
      .option('-o, --output <file>', 'Output file (default: standard output)')
      .option('-y, --yes', 'Overwrite the output file without confirmation')
      .addOption(labelOption(labelHelp))
      .action(async ({ output, yes, label, ...connection }: ExportOptions) => {
        const { api } = await connect(connection);
        const query = label === undefined ? {} : { label };
        const document = await api.call(operationId, { query, timeoutMs });
        const note = noteOf({ ...document });
        if (note !== null) io.stderr(note);
        const text = `${JSON.stringify(document, null, 2)}\n`;
        if (output === undefined) return io.stdout(text);
        await writeOutputFile(io, output, text, { hasSecrets: false, mayOverwrite: yes === true });
        io.stderr(`Wrote ${output}.\n`);
      });
  };
}
