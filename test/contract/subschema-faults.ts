/** A JSON Schema, with the keywords that the OpenAPI document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}
/** Schemas that others refer to, by name. */
export type Schemas = Record<string, Schema>

/** A schema in its document. */
export interface PlacedSchema {
  schema: Schema
  schemas: Schemas
}

const lowerBounds = ['minimum', 'minLength', 'minItems'] as const
const upperBounds = ['maximum', 'maxLength', 'maxItems'] as const

/**
 * Returns why some value that fits the schema `sub` would not fit the schema `base`, or would lack
 * a field that `base` describes. Each fault begins with its place, such as `.items[].clip: …`. No
 * schema of the document contains itself.
 */
export function subschemaFaults(sub: PlacedSchema, base: PlacedSchema): string[] {
  const bases = branches(base)
  return branches(sub).flatMap((branch) => {
    const faultsOf = bases.map((candidate) => [...branchFaults(branch, candidate)])
    if (faultsOf.some((faults) => faults.length === 0)) return []
    // The faults with the branch that was probably meant.
    const index = bases.findIndex(({ schema }) => schema.type === branch.schema.type)
    return faultsOf[index] ?? [`: can be ${branch.schema.type}, not only ${bases.map(typeName).join(' or ')}`]
  })
}

const typeName = ({ schema }: PlacedSchema) => String(schema.type)

/** Returns the alternatives of a schema, each of one type and without references at its top. */
function branches({ schema, schemas }: PlacedSchema): PlacedSchema[] {
  const { $ref, anyOf, oneOf, ...rest } = schema
  if ($ref !== undefined)
    return branches({ schema: { ...schemas[$ref.split('/').at(-1)!], ...rest }, schemas })
  const alternatives = anyOf ?? oneOf
  if (alternatives)
    return alternatives.flatMap((alternative) => branches({ schema: { ...rest, ...alternative }, schemas }))
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ schema: { ...schema, type }, schemas }))
  return [{ schema, schemas }]
}

function* branchFaults(sub: PlacedSchema, base: PlacedSchema): Generator<string> {
  const { schema } = sub
  const { schema: baseSchema } = base
  const isSameType =
    schema.type === baseSchema.type || (schema.type === 'integer' && baseSchema.type === 'number')
  if (baseSchema.type !== undefined && !isSameType) yield `: is ${schema.type}, not ${baseSchema.type}`
  yield* valueFaults(schema, baseSchema)
  for (const key of ['pattern', 'format'] as const)
    if (baseSchema[key] !== undefined && schema[key] !== baseSchema[key])
      yield `: ${key} is ${schema[key]}, not ${baseSchema[key]}`
  for (const key of lowerBounds)
    if (baseSchema[key] !== undefined && !(schema[key]! >= baseSchema[key]))
      yield `: ${key} is ${schema[key]}, not ${baseSchema[key]}`
  for (const key of upperBounds)
    if (baseSchema[key] !== undefined && !(schema[key]! <= baseSchema[key]))
      yield `: ${key} is ${schema[key]}, not ${baseSchema[key]}`
  yield* fieldFaults(sub, base)
  if (baseSchema.items) {
    const items = { schema: schema.items ?? {}, schemas: sub.schemas }
    const faults = subschemaFaults(items, { schema: baseSchema.items, schemas: base.schemas })
    for (const fault of faults) yield `[]${fault}`
  }
}

/** Compares the values of enumerations. */
function* valueFaults(schema: Schema, base: Schema): Generator<string> {
  const valuesOf = ({ enum: values, const: value }: Schema) =>
    values ?? (value === undefined ? null : [value])
  const [values, baseValues] = [valuesOf(schema), valuesOf(base)]
  if (baseValues === null) return
  if (values === null) yield `: can be any value, not only ${baseValues.join(', ')}`
  const newValues = values?.filter((value) => !baseValues.includes(value)) ?? []
  if (newValues.length > 0) yield `: can be ${newValues.join(', ')}, not only ${baseValues.join(', ')}`
}

function* fieldFaults(sub: PlacedSchema, base: PlacedSchema): Generator<string> {
  const { properties = {}, required = [], additionalProperties } = sub.schema
  for (const [name, schema] of Object.entries(base.schema.properties ?? {})) {
    const property = properties[name]
    if (!property) yield `.${name}: removed`
    else {
      if (base.schema.required?.includes(name) && !required.includes(name))
        yield `.${name}: no longer always present`
      const field = { schema: property, schemas: sub.schemas }
      for (const fault of subschemaFaults(field, { schema, schemas: base.schemas })) yield `.${name}${fault}`
    }
  }
  const baseOthers = base.schema.additionalProperties
  if (typeof baseOthers !== 'object') return
  const others = typeof additionalProperties === 'object' ? additionalProperties : {}
  const faults = subschemaFaults(
    { schema: others, schemas: sub.schemas },
    { schema: baseOthers, schemas: base.schemas },
  )
  for (const fault of faults) yield `.*${fault}`
}
