import type { z } from 'zod'
import type { OperationId, OperationRow } from './operations.ts'
import type { Parameter } from './parameters.ts'

type Row<Id extends OperationId> = Extract<OperationRow, { id: Id }>
type Parameters<Id extends OperationId> = Row<Id>['parameters']

type Outputs<Id extends OperationId> = {
  readonly [Name in keyof Parameters<Id>]: Parameters<Id>[Name] extends { schema: infer Schema }
    ? z.output<Schema>
    : never
}

type RequiredName<Parameters> = {
  [Name in keyof Parameters]: Parameters[Name] extends { isRequired: boolean } ? Name : never
}[keyof Parameters]

/**
 * The values of an operation's parameters. Optional parameters are absent if they were not sent.
 */
export type ParameterValues<Id extends OperationId> = Partial<Outputs<Id>> &
  Pick<Outputs<Id>, RequiredName<Parameters<Id>>>

/** The operations that return pages. */
export type ListOperationId = {
  [Id in OperationId]: Parameters<Id> extends { cursor: Parameter } ? Id : never
}[OperationId]

type NameInPath<Path> = Path extends `${string}{${infer Name}}${string}` ? Name : never
type BoundName<Parameters> = Parameters extends { cursor: { boundNames: readonly (infer Name)[] } }
  ? Name
  : never

/** The values of the query parameters that an operation's cursors are bound to. */
export type BoundValues<Id extends ListOperationId> = Pick<
  Outputs<Id>,
  Exclude<BoundName<Parameters<Id>>, NameInPath<Row<Id>['path']>> & keyof Outputs<Id>
>
