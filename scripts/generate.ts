/**
 * `npm run generate [-- STEP…]` generates the files in src/generated and next to their sources, either all of
 * them or those of the given steps. The files are committed, so that reading, type-checking, and starting
 * Pacekeeper don't require this step. The output depends only on its sources: a second run changes nothing.
 */
import { writeFile } from 'node:fs/promises';
import { configurationSchema } from './generate-configuration-schema.ts';
import { generateContract } from './generate-contract.ts';

const steps: Record<string, () => Promise<void>> = {
  contract: writeContract,
  database: writeDatabase,
  docs: writeReference,
};

/** Writes the contract as documents, types, and a table, and the schema of configuration files. */
async function writeContract(): Promise<void> {
  const files = await generateContract();
  for (const [file, text] of files) await writeFile(generated(file), text);
  const { components } = JSON.parse(files.get('openapi-client.json')!);
  const schema = `${JSON.stringify(configurationSchema(components.schemas), null, 1)}\n`;
  await writeFile(generated('configuration-schema.json'), schema);
  // Also write the schema next to the contract, where servers offer it to editors.
  await writeFile(new URL('../spec/pacekeeper.schema.json', import.meta.url), schema);
}

/**
 * Generates the types of all tables and a readable schema file from migrations/. The module is imported only
 * when needed, because it starts a database.
 */
async function writeDatabase(): Promise<void> {
  const { generateDatabase } = await import('./generate-database.ts');
  await generateDatabase();
}

/** Writes the pages of the documentation that are generated from code. */
async function writeReference(): Promise<void> {
  const { referencePages } = await import('./generate-reference.ts');
  for (const [name, text] of referencePages()) {
    await writeFile(new URL(`../docs/${name}`, import.meta.url), text);
  }
}

function generated(file: string): URL {
  return new URL(`../src/generated/${file}`, import.meta.url);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const [name, run] of Object.entries(steps)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`generate ${name}`);
    await run();
  }
}
