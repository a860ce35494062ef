import { adminCommands } from './admin-command.ts';
import { backup } from './backup-command.ts';
import { doctor } from './doctor-command.ts';
import { migrate } from './migrate-command.ts';
import { migrateData } from './migrate-data-command.ts';
import type { OperatorCommand } from './operator-command.ts';
import { restore } from './restore-command.ts';

/**
 * All operator commands except `serve`, which takes no arguments. Names of admin commands include `admin`.
 */
export const operatorCommands: readonly Pick<OperatorCommand, 'name' | 'summary' | 'options'>[] = [
  migrate,
  backup,
  restore,
  migrateData,
  doctor,
  ...adminCommands,
];
