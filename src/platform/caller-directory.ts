import path from 'node:path';

/**
 * Returns the directory in which the caller ran `npm run pacekeeper`, or `null` if the program wasn't started by this
 * script. npm runs the script in the checkout, but files on the command line are relative to the directory of the
 * caller. Variables such as PACEKEEPER_DATA_DIR stay relative to the checkout, as with `npm start`.
 */
export function callerDirectory(env: NodeJS.ProcessEnv): string | null {
  const { INIT_CWD: caller, npm_lifecycle_event: script, npm_package_json: packageJson } = env;
  // Compare the working directory, because programs that the script starts inherit these variables but run in other
  // directories.
  const isScript = script === 'pacekeeper' && path.dirname(packageJson ?? '') === process.cwd();
  return isScript && caller !== undefined && caller !== process.cwd() ? caller : null;
}

/**
 * Resolves a file relative to the directory of the caller. `-` stays unchanged, because it denotes a stream.
 */
export function resolveCallerPath(file: string, env: NodeJS.ProcessEnv): string {
  const directory = callerDirectory(env);
  return directory === null || file === '-' ? file : path.resolve(directory, file);
}
