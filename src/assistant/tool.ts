import { z } from 'zod';
import type { ReadClient } from './read-client.ts';

/** API client of a tool, and the server's address for the links in its results. */
export interface ToolContext {
  api: ReadClient;
  /** URL of the server without a trailing slash. */
  server: string;
}

/** Result of a tool. It's cleaned, limited, and returned as JSON. */
export interface ToolOutput extends Readonly<Record<string, unknown>> {
  /** Sentences about everything that the result doesn't include or that isn't certain. */
  caveats: readonly string[];
}

export interface Tool {
  /** Name of the tool, a verb and a noun in snake_case. */
  name: string;
  title: string;
  /** States what the tool returns, when to use it, and where its IDs come from. Language models read it. */
  description: string;
  input: z.ZodObject;
  run(context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolOutput>;
}

/** Defines a tool. Arguments that its input doesn't have are rejected, so that a misspelled filter isn't ignored. */
export function defineTool<Shape extends z.ZodRawShape>({
  input: shape,
  run,
  ...texts
}: Pick<Tool, 'name' | 'title' | 'description'> & {
  input: Shape;
  run(context: ToolContext, input: z.infer<z.ZodObject<Shape, z.core.$strict>>): Promise<ToolOutput>;
}): Tool {
  const input = z.strictObject(shape);
  return { ...texts, input, run: (context, given) => run(context, input.parse(given)) };
}

/** Error for arguments that a tool can't use. The language model reads the message. */
export class ToolInputError extends Error {}

export const idInput = (description: string) => z.int().min(1).describe(description);

export const labelInput = z
  .string()
  .max(264)
  .regex(/^[A-Za-z][A-Za-z0-9_./-]{0,62}=/, 'must be key=value, such as team=payments')
  .describe('Only resources with this label, as key=value, such as team=payments. See list_labels.');

export const searchInput = z
  .string()
  .max(200)
  .describe('Only resources whose name contains this text, ignoring case.');

export const severityInput = z.enum(['moderate', 'high', 'critical']);

export const cursorInput = z
  .string()
  .min(1)
  .max(4096)
  .describe(
    'The next_cursor of the previous result, to continue after it. Repeat all other arguments unchanged.',
  );

export function limitInput(byDefault: number, max = 50) {
  return z.int().min(1).max(max).default(byDefault).describe('Maximum number of items in the result.');
}

/** Removes absent arguments from a query, because `undefined` isn't a value of the contract. */
export function withoutUndefined<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
