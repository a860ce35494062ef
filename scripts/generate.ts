/**
 * `npm run generate [-- STEP…]`: makes the files in src/generated, all of them or those of the named steps.
 * They are committed, so that nobody needs to run this to read, type-check or start Pacekeeper. The output
 * depends on nothing but its sources: a second run changes nothing.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configurationSchema } from './generate-configuration-schema.ts';
import { generateContract } from './generate-contract.ts';

const steps: Record<string, () => Promise<void>> = {
  contract: writeContract,
  database: generateDatabase,
  docs: writeReference,
};

/** What the contract says, as documents, types and a table; and the schema of configuration files. */
async function writeContract(): Promise<void> {
  const files = await generateContract();
  for (const [file, text] of files) await writeFile(generated(file), text);
  const { components } = JSON.parse(files.get('openapi-client.json')!);
  const schema = `${JSON.stringify(configurationSchema(components.schemas), null, 1)}\n`;
  await writeFile(generated('configuration-schema.json'), schema);
  // Beside the contract, where servers offer it to editors.
  await writeFile(new URL('../spec/pacekeeper.schema.json', import.meta.url), schema);
}

/** From migrations/: the types of all tables. It starts a database of its own, so it is loaded only when wanted. */
async function generateDatabase(): Promise<void> {
  const { generateDatabaseTypes } = await import('./generate-database-types.ts');
  await generateDatabaseTypes(fileURLToPath(generated('database.ts')));
}

/** The pages of the documentation that say what the code says. */
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
