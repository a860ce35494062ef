import { expect, test } from 'vitest';
import { deploymentChange } from './deployment-change.ts';

test.each([
  ['1.0.0', null, 'deployed'],
  ['1.10.0', '1.9.0', 'upgraded'],
  ['v2.0.0', '1.9.0', 'upgraded'],
  ['v1.0.0', '1.0.0', 'upgraded'],
  ['1.9.0', '1.10.0', 'rolledback'],
  ['1.0.0-rc.1', '1.0.0', 'rolledback'],
  ['sha256:ab', '1.0.0', 'upgraded'],
  ['main', 'feature', 'upgraded'],
  ['9fceb02d0ae598e95dc970b74767f19372d61af8', '1fceb02d0ae598e95dc970b74767f19372d61af8', 'upgraded'],
])('the version %s after %s is %s', (version, previous, change) => {
  expect(deploymentChange(version, previous)).toBe(change);
});
