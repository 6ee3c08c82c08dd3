/** `millpond account`: operator commands on accounts. */
import { Fault } from '@millpond/protocol';
import { type Command, Option } from 'commander';
import { NotFoundError, UsageError } from '../../exit.ts';
import { keyPrinter } from '../../key-printer.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { readHours } from '../../option-readers.ts';
import { readPassword } from '../../password.ts';
import { print, printRows } from '../../print.ts';

const PAGE = 1000;
const IDENTITY_COLUMNS = ['issuer', 'subject', 'address', 'is_listed', 'joined_at'];
const COLUMNS = ['uid', 'parent_uid', 'email', 'is_disabled', 'is_operator'];

export function addAccount(program: Command): void {
  const account = program.command('account').description('create, list, disable and close accounts');
  addCreate(account);
  operatorCommand(account, 'list', 'list all accounts, by uid').action(async (options: OperatorOptions) => {
    await withTools(options, async ({ accounts }) => {
      const rows = [];
      for (
        let page = await accounts.list(0n, PAGE);
        page.length > 0;
        page = await accounts.list(page.at(-1)?.uid ?? 0n, PAGE)
      ) {
        rows.push(...page.map((row) => ({ ...row })));
        if (page.length < PAGE) break;
      }
      printRows(options, rows, COLUMNS);
    });
  });
  addOperator(account);
  addIdentities(account);
  operatorCommand(
    account,
    'disable',
    'refuse all credentials and tokens of an account; public reads still work',
  )
    .argument('<email>')
    .option('--reason <text>', 'why, for the audit log')
    .action((email: string, options: OperatorOptions & { reason?: string }) =>
      setDisabled(email, true, options),
    );
  operatorCommand(account, 'enable', 'accept an account’s credentials and tokens again')
    .argument('<email>')
    .action((email: string, options: OperatorOptions) => setDisabled(email, false, options));
  addSigning(account);
  addRegion(account);
  operatorCommand(
    account,
    'webhook-secret',
    'show or replace the secret with which an account’s receivers verify what is sent to them',
  )
    .argument('<email>')
    .option('--exchange', 'create a new one; both sign until the old one expires')
    .option('--keep-old <hours>', 'with --exchange: how long the old one still signs', readHours, 24)
    .action(async (email: string, options: OperatorOptions & { exchange?: boolean; keepOld: number }) => {
      await withTools(options, async ({ accounts, actor }) => {
        const { uid } = await accounts.byEmail(email);
        const found = options.exchange
          ? await accounts.exchangeWebhookSecret(uid, options.keepOld * 3_600_000, actor)
          : await accounts.webhookSecrets(uid, actor);
        const secrets = found.map(({ secret }) => secret);
        print(options, { uid, email, secrets }, secrets.join('\n'));
      });
    });
  operatorCommand(
    account,
    'close',
    'disable an account and its children; after 30 days they and their objects are deleted',
  )
    .argument('<email>')
    .action(async (email: string, options: OperatorOptions) => {
      await withTools(options, async ({ accounts, actor }) => {
        const { uid } = await accounts.byEmail(email);
        const closed = await accounts.closing.close(uid, actor);
        const names = closed.map((row) => row.email);
        print(
          options,
          { closed: names },
          `closed: ${names.join(', ')}; \`millpond account enable\` reopens one within 30 days`,
        );
      });
    });
  operatorCommand(account, 'email', 'give an account another e-mail address')
    .argument('<account>', 'its e-mail or its uid')
    .argument('<email>', 'the new one')
    .action(async (name: string, email: string, options: OperatorOptions) => {
      await withTools(options, async ({ accounts, actor }) => {
        const before = await accounts.byName(name);
        const row = await accounts.setEmail(before.uid, email, actor);
        print(options, row, `account ${row.uid}: ${before.email} is now ${row.email}`);
      });
    });
  operatorCommand(account, 'password', 'set an account’s password, read from standard input')
    .argument('<email>')
    .action(async (email: string, options: OperatorOptions) => {
      const password = await readPassword();
      await withTools(options, async ({ accounts, actor }) => {
        const { uid } = await accounts.byEmail(email);
        await accounts.setPassword(uid, password, actor);
        print(options, { uid, email }, `the password of ${email} is set`);
      });
    });
}

interface CreateOptions {
  readonly bucket?: string;
  readonly password?: boolean;
  readonly operator?: boolean;
  readonly export?: boolean;
}

function addCreate(account: Command): void {
  operatorCommand(account, 'create', 'create a parent account and its first root access key')
    .argument('<email>', 'e-mail of the account')
    .option('--bucket <name>', 'also create this bucket')
    .option('--password', 'set a password, read from standard input')
    .option('--operator', 'make it an operator of the console')
    .option('--export', 'print shell commands for eval')
    .action(async (email: string, options: OperatorOptions & CreateOptions) => {
      const password = options.password ? await readPassword() : undefined;
      const printKey = keyPrinter(options);
      await withTools(options, async ({ accounts, actor, createBucket }) => {
        const { bucket } = options;
        // If this fails it can be repeated: nothing of it is left.
        const { account: created, key } = await accounts
          .create(email, password, actor, {
            isOperator: options.operator,
            onCommit: async ({ uid }, transaction) => {
              if (bucket !== undefined) await createBucket(uid, bucket, transaction);
            },
          })
          .catch((error: unknown) => Promise.reject(withRemedy(email, bucket, error)));
        const named = bucket === undefined ? {} : { bucket };
        // The key is shown only now, whatever becomes of the other secret, which can be asked for again.
        const secrets = options.export
          ? await accounts.webhookSecrets(created.uid, actor).catch(() => {
              const command = `millpond account webhook-secret ${email}`;
              process.stderr.write(
                `millpond: the webhook secret could not be read: \`${command}\` shows it\n`,
              );
              return [];
            })
          : [];
        printKey({ uid: created.uid, email: created.email, ...key, ...named }, secrets[0]?.secret);
      });
    });
}

/** What to do instead: those who create accounts through the API have no such command. */
function withRemedy(email: string, bucket: string | undefined, error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const hints: Partial<Record<Fault['fault'], string>> = {
    recordExists: `${email} already has an account; \`millpond key create ${email} --kind root\` creates another access key for it`,
    bucketTaken: `the bucket name ${bucket} is taken; no account was created: give --bucket another name`,
  };
  const hint = hints[error.fault];
  return hint === undefined ? error : new Fault(error.fault, { hint });
}

function addOperator(account: Command): void {
  operatorCommand(
    account,
    'operator',
    'make an account an operator, whose sessions of the console see all accounts and may act for them; without an e-mail, list the operators',
  )
    .argument('[email]')
    .option('--remove', 'take the right away')
    .action(async (email: string | undefined, options: OperatorOptions & { remove?: boolean }) => {
      if (email === undefined && options.remove)
        throw new UsageError('--remove needs the e-mail of an operator');
      await withTools(options, async ({ accounts, actor }) => {
        if (email === undefined) {
          const rows = await accounts.operators();
          printRows(
            options,
            rows.map((row) => ({ ...row })),
            COLUMNS,
          );
          return;
        }
        const { uid } = await accounts.byEmail(email);
        const row = await accounts.setOperator(uid, !options.remove, actor);
        const words = options.remove ? 'is no operator any more' : 'is an operator';
        print(options, row, `${row.email} ${words}; this takes effect within 5 s`);
      });
    });
}

function addIdentities(account: Command): void {
  operatorCommand(
    account,
    'identities',
    'list the people of the identity provider who have joined an account',
  )
    .argument('<email>')
    .option(
      '--invite',
      'let the next person join whose verified e-mail is the account’s, though a tenant made it',
    )
    .option('--remove <subject>', 'end the sessions that the provider opened; this person has to join anew')
    .action(async (email: string, options: OperatorOptions & { invite?: boolean; remove?: string }) => {
      await withTools(options, async ({ accounts, identities, actor }) => {
        const row = await accounts.byEmail(email);
        if (options.remove !== undefined && !(await identities.remove(row, options.remove, actor)))
          throw new NotFoundError(`nobody with the subject ${options.remove} has joined ${row.email}`);
        if (options.invite) await identities.invite(row, actor);
        const people = await identities.ofAccount(row.uid);
        printRows(
          options,
          people.map((person) => ({ ...person })),
          IDENTITY_COLUMNS,
        );
      });
    });
}

function addSigning(account: Command): void {
  operatorCommand(account, 'signing', 'set what an account requires of the signatures of its calls')
    .argument('<email>')
    .addOption(
      new Option('--old <rule>', 'signatures in the old form, if the dialect has it').choices([
        'accept',
        'refuse',
      ]),
    )
    .addOption(
      new Option('--date <rule>', 'a signed date, which limits how long a call can be replayed').choices([
        'optional',
        'required',
      ]),
    )
    .action(async (email: string, options: OperatorOptions & { old?: string; date?: string }) => {
      if (options.old === undefined && options.date === undefined)
        throw new UsageError('give --old or --date, or both');
      await withTools(options, async ({ accounts, actor }) => {
        const { uid } = await accounts.byEmail(email);
        const { oldSigning, dateRequired } = await accounts.setSigning(
          uid,
          {
            ...(options.old === undefined ? {} : { oldSigning: options.old === 'accept' }),
            ...(options.date === undefined ? {} : { dateRequired: options.date === 'required' }),
          },
          actor,
        );
        const words = `old signing ${oldSigning ? 'accepted' : 'refused'}, date ${dateRequired ? 'required' : 'optional'}`;
        print(
          options,
          { email, oldSigning, dateRequired },
          `${email}: ${words}; this takes effect within 5 s`,
        );
      });
    });
}

function addRegion(account: Command): void {
  operatorCommand(account, 'region', 'show or set where an account’s new buckets go if nobody says where')
    .argument('<email>')
    .argument('[region]', 'its default region from now on; buckets that are there stay where they are')
    .option('--none', 'no default: new buckets go to the region that is asked')
    .action(
      async (email: string, region: string | undefined, options: OperatorOptions & { none?: boolean }) => {
        if (options.none && region !== undefined) throw new UsageError('give a region or --none, not both');
        await withTools(options, async ({ accounts, actor, regions }) => {
          const { uid } = await accounts.byEmail(email);
          if (region !== undefined) await regions.refuseUnknown(region);
          if (region !== undefined || options.none) await accounts.setDefaultRegion(uid, region, actor);
          const now = await accounts.defaultRegion(uid);
          const words = now === undefined ? 'the region that is asked' : `region ${now}`;
          print(options, { email, region: now ?? null }, `${email}: new buckets go to ${words}`);
        });
      },
    );
}

async function setDisabled(
  email: string,
  isDisabled: boolean,
  options: OperatorOptions & { reason?: string },
): Promise<void> {
  await withTools(options, async ({ accounts, actor }) => {
    const { uid } = await accounts.byEmail(email);
    const row = await accounts.setDisabled(uid, isDisabled, options.reason, actor);
    print(options, row, `${email} is ${isDisabled ? 'disabled' : 'enabled'}; this takes effect within 5 s`);
  });
}
