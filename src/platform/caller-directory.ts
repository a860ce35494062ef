import path from 'node:path';

/**
 * Returns the directory in which the caller ran `npm run pacekeeper`. npm runs the script in the checkout,
 * but files on the command line are relative to the directory of the caller. `null` if the program wasn't
 * started by this script. Variables such as PACEKEEPER_DATA_DIR stay relative to the checkout, as with `npm
 * start`.
 */
export function callerDirectory(env: NodeJS.ProcessEnv): string | null {
  const { INIT_CWD: caller, npm_lifecycle_event: script, npm_package_json: packageJson } = env;
  // Programs that a script starts inherit these variables, but run elsewhere.
  const isScript = script === 'pacekeeper' && path.dirname(packageJson ?? '') === process.cwd();
  return isScript && caller !== undefined && caller !== process.cwd() ? caller : null;
}

/**
 * Resolves a file relative to the directory of the caller. `-` stays unchanged, because it denotes a stream.
 */
export function fileFromCaller(file: string, env: NodeJS.ProcessEnv): string {
  const directory = callerDirectory(env);
  return directory === null || file === '-' ? file : path.resolve(directory, file);
}
