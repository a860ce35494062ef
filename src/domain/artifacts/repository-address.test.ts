import { describe, expect, test } from 'vitest';
import { gitPurl } from './purl.ts';
import { repositoryAddress } from './repository-address.ts';

describe('the spellings of a repository', () => {
  test.each([
    ['https://git.example.org/acme/Deploy.git', 'git.example.org/acme/Deploy'],
    ['https://Git.Example.org/acme/Deploy/', 'git.example.org/acme/Deploy'],
    ['https://www.example.org/acme/Deploy', 'example.org/acme/Deploy'],
    ['ssh://git@git.example.org:2222/acme/Deploy.git', 'git.example.org/acme/Deploy'],
    ['git@git.example.org:acme/Deploy.git', 'git.example.org/acme/Deploy'],
    ['git@git.example.org:/acme/Deploy', 'git.example.org/acme/Deploy'],
    ['http://git.example.org:3000/acme/Deploy', 'git.example.org:3000/acme/Deploy'],
    ['github.com/Acme/Deploy', 'github.com/acme/deploy'],
    ['https://www.GitHub.com/Acme/Deploy.git', 'github.com/acme/deploy'],
    ['git@gitlab.com:Acme/Team/Deploy.git', 'gitlab.com/acme/team/deploy'],
    ['ssh://git@gitlab.acme.dev:2222/Acme/Deploy', 'gitlab.acme.dev/acme/deploy'],
    ['https://codeberg.org/Acme/Deploy', 'codeberg.org/acme/deploy'],
  ])('have the same address: %s', (url, address) => {
    expect(repositoryAddress(url)).toBe(address);
  });

  test('have the same package URL', () => {
    const spellings = [
      'https://gitlab.com/acme/deploy',
      'https://www.gitlab.com/Acme/Deploy.git',
      'ssh://git@gitlab.com:22/acme/deploy.git',
      'git@gitlab.com:acme/deploy.git',
    ];
    expect(new Set(spellings.map(gitPurl))).toEqual(
      new Set(['pkg:generic/deploy?vcs_url=git%2Bhttps:%2F%2Fgitlab.com%2Facme%2Fdeploy']),
    );
  });
});
