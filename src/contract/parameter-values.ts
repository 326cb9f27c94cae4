import type { z } from 'zod'
import type { OperationId, OperationRow } from './operations.ts'
import type { Parameter } from './parameters.ts'

type Row<Id extends OperationId> = Extract<OperationRow, { id: Id }>
type Outputs<Parameters extends Record<string, Parameter>> = {
  readonly [Name in keyof Parameters]: z.output<Parameters[Name]['schema']>
}

type NamesOfRequired<Parameters extends Record<string, Parameter>> = {
  [Name in keyof Parameters]: Parameters[Name] extends { isRequired: true } ? Name : never
}[keyof Parameters]

/**
 * The values of an operation's parameters, typed by their schemas: those of the path, and the query
 * parameters that are required or were sent.
 */
export type ParameterValues<Id extends OperationId> = Outputs<Row<Id>['pathParameters']> &
  Partial<Outputs<Row<Id>['queryParameters']>> &
  Pick<Outputs<Row<Id>['queryParameters']>, NamesOfRequired<Row<Id>['queryParameters']>>

/** The operations that answer page by page. */
export type ListOperationId = {
  [Id in OperationId]: Row<Id>['queryParameters'] extends { cursor: Parameter } ? Id : never
}[OperationId]

/** The values of the query parameters that a list operation's cursors are bound to. */
export type BoundValues<Id extends ListOperationId> = Pick<
  Outputs<Row<Id>['queryParameters']>,
  Extract<BoundName<Row<Id>['queryParameters']>, keyof Row<Id>['queryParameters']>
>

type BoundName<Parameters> = Parameters extends { cursor: { bound: readonly (infer Name)[] } } ? Name : never
