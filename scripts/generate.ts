/**
 * `npm run generate [-- STEP…]`: makes the files in src/generated, all of them or those of the named steps.
 * They are committed, so that nobody needs to run this to read, type-check or start Pacekeeper. The output
 * depends on nothing but its sources: a second run changes nothing.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateContract } from './generate-contract.ts';

const steps: Record<string, () => Promise<void>> = {
  contract: writeContract,
  database: generateDatabase,
};

/** What the contract says, as documents, types and a table. */
async function writeContract(): Promise<void> {
  for (const [file, text] of await generateContract()) await writeFile(generated(file), text);
}

/** From migrations/: the types of all tables. It starts a database of its own, so it is loaded only when wanted. */
async function generateDatabase(): Promise<void> {
  const { generateDatabaseTypes } = await import('./generate-database-types.ts');
  await generateDatabaseTypes(fileURLToPath(generated('database.ts')));
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
