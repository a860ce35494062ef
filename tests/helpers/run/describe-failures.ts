import path from 'node:path';

type Errors = readonly { message: string }[];

/** The part of a test module that `describeFailures` reads. */
export interface FinishedModule {
  moduleId: string;
  errors(): Errors;
  children: {
    allSuites(): Iterable<{ errors(): Errors }>;
    allTests(state: 'failed'): Iterable<{ fullName: string; result(): { errors?: Errors | undefined } }>;
  };
}

/**
 * Describes everything that failed in a run, one line each: tests, files and suites that couldn't be loaded or set up,
 * and errors outside tests. Each line ends with the first line of the message.
 */
export function describeFailures(
  modules: readonly FinishedModule[],
  errorsOutsideTests: Errors,
  root: string,
): string[] {
  return [
    ...modules.flatMap((module) => {
      const file = path.relative(root, module.moduleId);
      return [
        ...[module, ...module.children.allSuites()]
          .filter((each) => each.errors().length > 0)
          .map((each) => `${file}: ${firstLine(each.errors())}`),
        ...[...module.children.allTests('failed')].map(
          (each) => `${file} > ${each.fullName}: ${firstLine(each.result().errors ?? [])}`,
        ),
      ];
    }),
    ...errorsOutsideTests.map((error) => `Outside a test: ${firstLine([error])}`),
  ];
}

const firstLine = (errors: Errors) => errors[0]?.message.split('\n', 1)[0] ?? '';
