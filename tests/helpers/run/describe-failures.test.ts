import { expect, test } from 'vitest';
import { describeFailures, type FinishedModule } from './describe-failures.ts';

const moduleWith = ({
  errors = [],
  suiteErrors = [],
  failedTests = [],
}: {
  errors?: string[];
  suiteErrors?: string[];
  failedTests?: { fullName: string; message: string }[];
}): FinishedModule => {
  const errorsOf = (messages: string[]) => messages.map((message) => ({ message }));
  return {
    moduleId: '/repository/tests/a.test.ts',
    errors: () => errorsOf(errors),
    children: {
      allSuites: () => [{ errors: () => errorsOf(suiteErrors) }],
      allTests: () =>
        failedTests.map(({ fullName, message }) => ({
          fullName,
          result: () => ({ errors: errorsOf([message]) }),
        })),
    },
  };
};

test('the description of a run without failures is empty', () => {
  expect(describeFailures([moduleWith({})], [], '/repository')).toEqual([]);
});

test('failed tests, files, suites, and errors outside tests are listed with the first line of their message', () => {
  const modules = [
    moduleWith({
      failedTests: [{ fullName: 'a list > is sorted', message: 'expected 1 to be 2\n- 1\n+ 2' }],
    }),
    moduleWith({ errors: ['Cannot find module b'], suiteErrors: ['connection refused'] }),
  ];
  expect(describeFailures(modules, [{ message: 'Unhandled rejection' }], '/repository')).toEqual([
    'tests/a.test.ts > a list > is sorted: expected 1 to be 2',
    'tests/a.test.ts: Cannot find module b',
    'tests/a.test.ts: connection refused',
    'Outside a test: Unhandled rejection',
  ]);
});
