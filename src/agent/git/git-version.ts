import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** First version that reads its complete configuration from the environment. */
const minVersion = [2, 31];

/** Returns null if git is installed and recent enough, otherwise a sentence that describes the problem. */
export async function checkGit(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 });
    const [, major = '0', minor = '0'] = /(?<!\d)(\d+)\.(\d+)/u.exec(stdout) ?? [];
    const [minMajor = 0, minMinor = 0] = minVersion;
    const isEnough = Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor);
    return isEnough ? null : `Git ${major}.${minor} is too old; ${minVersion.join('.')} or later is required`;
  } catch {
    return "Git isn't installed";
  }
}
