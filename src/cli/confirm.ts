import { cleanLine } from '../domain/templates/clean-text.ts';
import { CliError, usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';

/** Prompts for confirmation on a terminal. Without a terminal, `--yes` is required. */
export async function confirm(io: CliIo, question: string): Promise<void> {
  requireTerminal(io, question);
  const answer = await io.ask(`${question}[y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Canceled. No changes made.');
}

/**
 * Prompts for the name of a resource to confirm a deletion that affects more than that resource. A reflexive
 * `y` isn't enough.
 */
export async function confirmByTyping(io: CliIo, question: string, name: string): Promise<void> {
  requireTerminal(io, question);
  const shown = cleanLine(name);
  const answer = await io.ask(`${question}Type "${shown}" to confirm: `);
  if (cleanLine(answer) !== shown) throw new CliError('Canceled. No changes made.');
}

function requireTerminal(io: CliIo, question: string): void {
  if (!io.isInputTerminal)
    throw usageError(`No changes made. Without a terminal, use --yes to confirm: ${question.trim()}`);
}
