/** `millpond secrets rotate` and `millpond sweep`: upkeep that an operator starts by hand. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { print } from '../../print.ts';

export function addUpkeep(program: Command): void {
  const secrets = program.command('secrets').description('re-wrap stored secrets with another master key');
  operatorCommand(
    secrets,
    'rotate',
    're-wrap every secret with the first master key of the configuration; servers may keep running',
  ).action(async (options: OperatorOptions) => {
    await withTools(options, async ({ accounts, actor, rotateRegion }) => {
      const report = (done: number) => process.stderr.write(`${done} secrets re-wrapped\n`);
      const rotated = (await accounts.rotateMasterKey(actor, report)) + (await rotateRegion());
      print(options, { rotated }, `${rotated} secrets re-wrapped; none of them needs an older master key`);
    });
  });
  operatorCommand(
    program,
    'sweep',
    'pack small objects, delete expired trash and bytes that no record refers to',
  )
    .option('--everything', 'check all bytes, not only those since the last sweep (after a database restore)')
    .action(async (options: OperatorOptions & { everything?: boolean }) => {
      await withTools(options, async ({ collector, packing }) => {
        const { signal } = new AbortController();
        // Before the trash: what waits to be packed is not deleted.
        const packed = await packing.packNow(signal);
        const collected = await collector.collect(signal);
        await packing.compact(signal);
        const swept = await collector.sweep(signal, { everything: options.everything ?? false });
        print(
          options,
          { packed, collected, swept },
          `${packed} small objects packed, ${collected} blobs deleted from the trash, ${swept} unreferenced blobs deleted`,
        );
      });
    });
}
