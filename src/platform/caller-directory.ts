import path from 'node:path';

/**
 * `npm run pacekeeper` runs in the checkout, wherever it is called: files on the command line are relative to where the
 * caller is. Null when the program wasn't started that way. Variables such as PACEKEEPER_DATA_DIR stay relative to the
 * checkout, as with `npm start`.
 */
export function callerDirectory(env: NodeJS.ProcessEnv): string | null {
  const { INIT_CWD: caller, npm_lifecycle_event: script, npm_package_json: packageJson } = env;
  // Programs that a script starts inherit these variables, but run elsewhere.
  const isScript = script === 'pacekeeper' && path.dirname(packageJson ?? '') === process.cwd();
  return isScript && caller !== undefined && caller !== process.cwd() ? caller : null;
}

/** A file as the caller named it. `-` is a stream. */
export function fileFromCaller(file: string, env: NodeJS.ProcessEnv): string {
  const directory = callerDirectory(env);
  return directory === null || file === '-' ? file : path.resolve(directory, file);
}
